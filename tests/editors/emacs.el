;; Drives a real Emacs with Eglot: WAVELENS names the server, WAVELENS_EL the setup, the argument a file.
;; Prints what a user would see; leaves with an error if a step fails. Not with -Q: that hides installed packages.
(package-initialize)
(load (getenv "WAVELENS_EL"))
(setq wavelens-command (list (getenv "WAVELENS") "lsp")
      wavelens-settings '(:diagnosticsDebounceMs 0)
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

(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(say "MODE %s" major-mode)
;; In batch no command follows the file's opening, after which the hook would connect.
(unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
(wait-for "diagnostics" #'findings)
(dolist (d (findings))
  (say "DIAGNOSTIC %d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))

(goto-char (point-min))
(search-forward "%group = call")
(goto-char (match-beginning 0))
(forward-char 2)
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (say "HOVER %s" (if (plist-get hover :contents) "yes" "none")))

(goto-char (point-min))
(search-forward "icmp slt i64 %i")
(backward-char 1)
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (say "DEFINITION line %d" (xref-location-line (xref-item-location place))))

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
(defun shown (ending)
  (cl-find-if (lambda (b) (and (buffer-file-name b) (string-match-p (concat "/wavelens-session-[0-9a-f]+/.*" ending) (buffer-file-name b))))
              (buffer-list)))
(let ((source (current-buffer)))
  (wavelens-compare-targets)
  (when (executable-find "llc-22")
    (wait-for "targets" (lambda () (shown "targets\\.txt\\'")))
    (say "TARGETS %s" (with-current-buffer (shown "targets\\.txt\\'") (if (search-forward "gfx1100" nil t) "yes" "none")))
    (set-buffer source)
    (wavelens-show-isa)
    (wait-for "ISA" (lambda () (shown "ll\\.s\\'")))
    (with-current-buffer (shown "ll\\.s\\'")
      (say "ISA %s %s %s" (if (search-forward "s_endpgm" nil t) "yes" "none") (if buffer-read-only "read-only" "writable") major-mode)))
  (set-buffer source))

(eglot-shutdown (eglot-current-server))
(say "SHUT DOWN")
(kill-emacs 0)
