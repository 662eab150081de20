;; Drives a real Emacs with Eglot: WAVELENS names the server, WAVELENS_EL the setup, the argument a file.
;; Prints what a user would see; leaves with an error if a step fails. Not with -Q: that hides installed packages.
(package-initialize)
(load (getenv "WAVELENS_EL"))
(setq wavelens-command (list (getenv "WAVELENS") "lsp")
      wavelens-settings '(:diagnosticsDebounceMs 0 :target "gfx1030")
      eglot-sync-connect 10
      eglot-autoshutdown nil
      eglot-send-changes-idle-time 0.05)

(defun say (&rest words) (princ (concat (apply #'format words) "\n")))

(defun wait-for (what condition)
  (let ((tries 0))
    (while (and (not (funcall condition)) (< tries 200))
      (accept-process-output nil 0.05)
      (setq tries (1+ tries)))
    (unless (funcall condition)
      (say "FAILED timed out: %s" what)
      (kill-emacs 1))))

(defun findings () (flymake-start) (flymake-diagnostics))

;; A row of features.json that works.
(defun works (feature) (say "FEATURE %s" feature))

;; Puts point after the first occurrence of a text.
(defun go-to (text) (goto-char (point-min)) (search-forward text))

;; What the server answers at point, through Eglot; a failure where it answers nothing.
(defun asked (feature method &rest more)
  (let ((answer (jsonrpc-request (eglot-current-server) method
                                 (append more (eglot--TextDocumentPositionParams)))))
    (if (seq-empty-p answer) (say "FAILED %s: no answer to %s" feature method) (works feature))
    answer))

(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(say "MODE %s" major-mode)
;; In batch no command follows the file's opening, after which the hook would connect.
(unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
(wait-for "diagnostics" #'findings)
(dolist (d (findings))
  (say "DIAGNOSTIC %d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))

(when (findings) (works "diagnostics"))

(go-to "%itme")
(when (seq-find (lambda (action) (string-match-p "%item" (plist-get action :title)))
                (asked "actions" :textDocument/codeAction
                       :range (list :start (eglot--pos-to-lsp-position (1- (point)))
                                    :end (eglot--pos-to-lsp-position (1- (point))))
                       :context '(:diagnostics [])))
  (say "ACTION writes %%item"))

(goto-char (point-min))
(search-forward "%group = call")
(goto-char (match-beginning 0))
(forward-char 2)
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (when (plist-get hover :contents) (works "hover"))
  (say "HOVER %s" (if (plist-get hover :contents) "yes" "none")))

(goto-char (point-min))
(search-forward "icmp slt i64 %i")
(backward-char 1)
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (say "DEFINITION line %d" (xref-location-line (xref-item-location place)))
  (works "definition"))

(let ((before (length (findings))))
  (goto-char (point-min))
  (search-forward "%itme")
  (replace-match "%item")
  (eglot--signal-textDocument/didChange)
  (wait-for "one diagnostic fewer" (lambda () (< (length (findings)) before)))
  (say "FIXED one of %d" before))

(set-buffer-modified-p nil)
;; One server answers all four modes, and takes each file for what it is.
(let ((server (eglot-current-server)))
  (dolist (name '("saxpy.mir" "saxpy.spvasm" "saxpy.s"))
    (with-current-buffer (find-file-noselect (expand-file-name (concat "../" name) default-directory))
      (unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
      (let ((symbols (jsonrpc-request server :textDocument/documentSymbol
                                      (list :textDocument (eglot--TextDocumentIdentifier)))))
        (say "MODE %s %s %s %s" major-mode (if (eq (eglot-current-server) server) "same server" "another server")
             (eglot--language-id server) (if (> (length symbols) 0) "answers" "says nothing"))))))
(say "ELDOC %s" eldoc-documentation-strategy)
(font-lock-ensure)
(goto-char (point-min))
(search-forward "define")
(say "COLOUR %s" (get-text-property (match-beginning 0) 'face))
(say "COMMENT %s" (string-trim comment-start))
(let ((default-directory temporary-file-directory) (wavelens-command '("wavelens-is-missing" "lsp")))
  (wavelens-ensure))

;; Views of a kernel that is whole.
(find-file (expand-file-name "../saxpy.ll" default-directory))
(unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
(go-to "%base")
(asked "references" :textDocument/references :context '(:includeDeclaration t))
(asked "occurrences" :textDocument/documentHighlight)
(asked "rename" :textDocument/rename :newName "start")
(asked "outline" :textDocument/documentSymbol)
(asked "symbols" :workspace/symbol :query "saxpy")
(go-to "(float %a, float")
(asked "signature" :textDocument/signatureHelp)
;; Completion as `completion-at-point' asks for it.
(go-to "shl i32 %gr")
(when (seq-find (lambda (candidate) (string-match-p "group" candidate))
                (let ((table (eglot-completion-at-point))) (all-completions "%gr" (nth 2 table))))
  (works "completion"))
(go-to "%base = shl")
(goto-char (line-beginning-position))
(insert "      ")
(eglot--signal-textDocument/didChange)
(asked "format" :textDocument/formatting :options '(:tabSize 2 :insertSpaces t))
(delete-char -6)
(eglot--signal-textDocument/didChange)
(set-buffer-modified-p nil)
(let ((binary (find-file-noselect (getenv "WAVELENS_BINARY"))))
  (with-current-buffer binary
    (goto-char (point-min))
    (when (search-forward "OpCapability" nil t) (works "binaries"))))
(defun shown (ending)
  (cl-find-if (lambda (b) (and (buffer-file-name b) (string-match-p (concat "/wavelens-session-[0-9a-f]+/.*" ending) (buffer-file-name b))))
              (buffer-list)))
(let ((source (current-buffer)))
  (wavelens-compare-targets)
  (when (executable-find "llc-22")
    (wait-for "targets" (lambda () (shown "targets\\.txt\\'")))
    (works "compare")
    (say "TARGETS %s" (with-current-buffer (shown "targets\\.txt\\'") (if (search-forward "gfx1100" nil t) "yes" "none")))
    (set-buffer source)
    (wavelens-show-isa)
    (wait-for "ISA" (lambda () (shown "ll\\.s\\'")))
    (works "isa")
    (with-current-buffer (shown "ll\\.s\\'")
      (when (string-match-p "gfx1030" (buffer-string)) (works "target"))
      (say "ISA %s %s %s" (if (search-forward "s_endpgm" nil t) "yes" "none") (if buffer-read-only "read-only" "writable") major-mode))
    (set-buffer source)
    (wavelens-show-passes "greedy")
    (wait-for "passes" (lambda () (shown "passes\\.diff\\'")))
    (works "passes"))
  (set-buffer source))

(dolist (graph '(("cfg" nil "@saxpy: [0-9]+ blocks") ("dominators" t "@saxpy: dominator tree")))
  (go-to "%base = shl")
  (save-current-buffer
    (wavelens-show-cfg (cadr graph))
    (wait-for (car graph)
              (lambda ()
                (let ((text (shown "cfg\\.txt\\'")))
                  (and text (with-current-buffer text (goto-char (point-min)) (looking-at (caddr graph)))))))
    (works (car graph))))

(font-lock-ensure)
(go-to "define")
(when (get-text-property (match-beginning 0) 'face) (works "colours"))
(let ((old (eglot-current-server)))
  (eglot-reconnect old)
  (wait-for "a new server" (lambda () (and (eglot-current-server) (not (eq (eglot-current-server) old)))))
  (works "restart"))

(eglot-shutdown (eglot-current-server))
(say "SHUT DOWN")
(kill-emacs 0)
