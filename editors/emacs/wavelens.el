;;; wavelens.el --- LLVM IR, Machine IR, SPIR-V and AMDGPU assembly with Eglot -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; URL: https://github.com/wavelens/wavelens

;;; Commentary:

;; Major modes for the four languages, and the Wavelens language server for them:
;;
;;   (add-to-list 'load-path "/path/to/wavelens/editors/emacs")
;;   (require 'wavelens)
;;
;; Eglot starts `wavelens lsp' when a file is opened; one server answers all four modes of a project.
;; Views of generated code are below C-c C-v (`wavelens-mode-map').

;;; Code:

(require 'cl-lib)
(require 'eglot)

(defgroup wavelens nil "LLVM IR, Machine IR, SPIR-V and AMDGPU assembly." :group 'languages)

(defcustom wavelens-command '("wavelens" "lsp")
  "Program and arguments of the server."
  :type '(repeat string))

(defcustom wavelens-settings nil
  "Settings of the server as a property list, such as (:target \"gfx1100\").
docs/editors.md lists them."
  :type 'plist)

;;; Recognition. docs/editors.md lists the patterns; VS Code and Neovim have the same.

(defconst wavelens--amdgpu-marks
  (mapconcat
   #'identity
   '("\\.\\(?:amdgcn_target\\|amdhsa_\\|amd_kernel_code_t\\|amd_amdgpu_\\|amdgpu_\\|hsa_code_object_\\)"
     "\\(?:triple\\|arch\\|target\\)[= ]amdg\\(?:cn\\|pu[0-9]\\)"
     "mcpu[= ]gfx"
     "\\b[sv]_[a-z0-9_]+_[bfiu]\\(?:16\\|32\\|64\\)\\b"
     "\\bs_\\(?:endpgm\\|waitcnt\\|barrier\\|branch\\|cbranch_\\|load_\\|buffer_\\|setpc\\|nop\\)"
     "\\b\\(?:global\\|flat\\|scratch\\|buffer\\|tbuffer\\|ds\\)_\\(?:load\\|store\\|atomic\\|read\\|write\\)_")
   "\\|")
  "What no other assembler's files contain.")

(defun wavelens--amdgpu-p ()
  "Whether the buffer, an assembly file, is for AMD GPUs."
  (and buffer-file-name
       (string-match-p "\\.\\(?:[sS]\\|asm\\|isa\\)\\'" buffer-file-name)
       (save-excursion
         (save-restriction
           ;; Emacs shows such functions only the first 4000 characters.
           (widen)
           (goto-char (point-min))
           (let ((case-fold-search nil))
             (re-search-forward wavelens--amdgpu-marks (min (point-max) (* 64 1024)) t))))))

(add-to-list 'magic-mode-alist '(wavelens--amdgpu-p . wavelens-amdgpu-mode))
(dolist (entry '(("\\.ll\\(?:ir\\)?\\'" . wavelens-llvm-mode)
                 ("\\.\\(?:amdgcn\\|rocmasm\\)\\'" . wavelens-amdgpu-mode)
                 ("\\.mir\\'" . wavelens-mir-mode)
                 ("\\.\\(?:spvasm\\|spv\\.txt\\)\\'" . wavelens-spirv-mode)
                 ("\\.spv\\'" . wavelens-binary-mode)
                 ("\\.\\(?:hsaco\\|co\\)\\'" . wavelens-binary-mode)))
  (add-to-list 'auto-mode-alist entry))

;;; Modes.

(defvar wavelens-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-v i") #'wavelens-show-isa)
    (define-key map (kbd "C-c C-v g") #'wavelens-show-cfg)
    (define-key map (kbd "C-c C-v t") #'wavelens-compare-targets)
    (define-key map (kbd "C-c C-v p") #'wavelens-show-passes)
    (define-key map (kbd "C-c C-v h") #'wavelens-show-history)
    (define-key map (kbd "C-c C-v m") #'wavelens-show-remarks)
    (define-key map (kbd "C-c C-v a") #'wavelens-advise)
    (define-key map (kbd "C-c C-v d") #'wavelens-reduce)
    (define-key map (kbd "C-c C-v x") #'wavelens-run-test)
    (define-key map (kbd "C-c C-v c") #'wavelens-set-target)
    (define-key map (kbd "C-c C-v n") #'wavelens-set-hints)
    (define-key map (kbd "C-c C-v r") #'eglot-reconnect)
    (define-key map (kbd "C-c C-v l") #'eglot-events-buffer)
    map)
  "Keys of the four modes.")

(defvar wavelens-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?. "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?- "_" table)
    ;; A sigil belongs to its name, also when nothing follows it yet: completion replaces it.
    (dolist (sigil '(?% ?@ ?! ?# ?^))
      (modify-syntax-entry sigil "_" table))
    table)
  "Syntax that the four languages share.")

(defvar wavelens-amdgpu-mode-syntax-table
  (let ((table (make-syntax-table wavelens-mode-syntax-table)))
    ;; Comments: `;' and `//' to the end of the line, `/*' to `*/'.
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23b" table)
    (modify-syntax-entry ?- "." table)
    (dolist (operator '(?% ?! ?# ?^))
      (modify-syntax-entry operator "." table))
    table)
  "Syntax of AMDGPU assembly.")

(defconst wavelens--names
  '(("@[-a-zA-Z$._0-9]+\\|@\"[^\"\n]*\"" . font-lock-function-name-face)
    ("%[-a-zA-Z$._0-9]+\\|%\"[^\"\n]*\"" . font-lock-variable-name-face)
    ("![-a-zA-Z$._0-9]*" . font-lock-preprocessor-face)))

(defconst wavelens--types
  '("\\_<\\(?:i[0-9]+\\|ptr\\|bfloat\\|half\\|float\\|double\\|void\\|label\\|metadata\\|token\\|opaque\\|type\\)\\_>"
    . font-lock-type-face))

(defconst wavelens--llvm-keywords
  `(("^\\([-a-zA-Z$._0-9]+\\):" 1 font-lock-constant-face)
    ,@wavelens--names
    ,wavelens--types
    (,(regexp-opt
       '("define" "declare" "global" "constant" "alias" "attributes" "target" "triple" "datalayout" "source_filename"
         "ret" "br" "switch" "indirectbr" "invoke" "callbr" "resume" "unreachable" "call" "tail" "musttail" "phi" "select"
         "add" "fadd" "sub" "fsub" "mul" "fmul" "udiv" "sdiv" "fdiv" "urem" "srem" "frem" "fneg" "shl" "lshr" "ashr" "and"
         "or" "xor" "extractelement" "insertelement" "shufflevector" "extractvalue" "insertvalue" "alloca" "load" "store"
         "fence" "cmpxchg" "atomicrmw" "getelementptr" "trunc" "zext" "sext" "fptrunc" "fpext" "fptoui" "fptosi" "uitofp"
         "sitofp" "ptrtoint" "inttoptr" "bitcast" "addrspacecast" "icmp" "fcmp" "freeze" "va_arg" "landingpad")
       'symbols)
     . font-lock-keyword-face)
    (,(regexp-opt '("true" "false" "null" "undef" "poison" "zeroinitializer" "none") 'symbols) . font-lock-constant-face)))

(defconst wavelens--mir-keywords
  `(("^ *\\(bb\\.[0-9]+[-a-zA-Z$._0-9]*\\)" 1 font-lock-constant-face)
    ("^\\(---\\|\\.\\.\\.\\)" . font-lock-preprocessor-face)
    ("^ *\\(?:- *{ *\\)?\\([a-zA-Z]+\\): " 1 font-lock-builtin-face)
    ("\\$[a-zA-Z0-9_]+" . font-lock-builtin-face)
    ,@wavelens--names
    ("\\_<[A-Z][A-Z0-9]*_?[A-Za-z0-9_]*\\_>" . font-lock-keyword-face)
    (,(regexp-opt '("liveins" "successors" "implicit" "implicit-def" "killed" "dead" "renamable" "undef" "early-clobber"
                    "debug-location")
                  'symbols)
     . font-lock-keyword-face)
    ,@wavelens--llvm-keywords))

(defconst wavelens--spirv-keywords
  `(("\\_<Op[A-Z][A-Za-z0-9]*\\_>" . font-lock-keyword-face)
    ("%[a-zA-Z_0-9]+" . font-lock-variable-name-face)
    ("\\_<[A-Z][A-Za-z0-9]+\\_>" . font-lock-constant-face)))

(defconst wavelens--amdgpu-keywords
  '(("^[ \t]*\\([.$_a-zA-Z0-9@]+\\):" 1 font-lock-constant-face)
    ("\\(?:^\\|[ \t]\\)\\(\\.[a-zA-Z_][.a-zA-Z0-9_]*\\)" 1 font-lock-preprocessor-face)
    ("\\_<\\(?:s\\|v\\|ds\\|buffer\\|tbuffer\\|global\\|flat\\|scratch\\|image\\|exp\\)_[a-z0-9_]+\\_>"
     . font-lock-keyword-face)
    ("\\_<\\(?:[vas]\\(?:[0-9]+\\|\\[[^]]*\\]\\)\\|ttmp[0-9]+\\|vcc\\(?:_lo\\|_hi\\)?\\|exec\\(?:_lo\\|_hi\\)?\\|m0\\|scc\\|null\\)"
     . font-lock-variable-name-face)))

(defmacro wavelens--define-mode (mode name table keywords indent)
  "Define MODE called NAME with the syntax TABLE.
KEYWORDS are coloured; INDENT is the width of a tab."
  `(define-derived-mode ,mode prog-mode ,name
     :syntax-table ,table
     (use-local-map (let ((map (make-sparse-keymap))) (set-keymap-parent map wavelens-mode-map) map))
     (setq-local comment-start "; ")
     (setq-local comment-start-skip "\\(?:;+\\|//+\\)[ \t]*")
     (setq-local tab-width ,indent)
     (setq-local indent-line-function #'indent-relative)
     (setq-local font-lock-defaults '(,keywords))))

(wavelens--define-mode wavelens-llvm-mode "LLVM" wavelens-mode-syntax-table wavelens--llvm-keywords 2)
(wavelens--define-mode wavelens-mir-mode "MIR" wavelens-mode-syntax-table wavelens--mir-keywords 2)
(wavelens--define-mode wavelens-spirv-mode "SPIR-V" wavelens-mode-syntax-table wavelens--spirv-keywords 4)
(wavelens--define-mode wavelens-amdgpu-mode "AMDGPU" wavelens-amdgpu-mode-syntax-table wavelens--amdgpu-keywords 8)

(defun wavelens-binary-mode ()
  "Show a SPIR-V binary or an AMDGPU code object as read-only text."
  (interactive)
  (let ((inhibit-read-only t)
        (file buffer-file-name)
        (spirv (string-suffix-p ".spv" buffer-file-name)))
    (if (not (executable-find (car wavelens-command)))
        (wavelens--missing)
      (erase-buffer)
      (set-buffer-multibyte t)
      (call-process (car wavelens-command) nil t nil "disassemble" file)
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (if spirv (wavelens-spirv-mode) (wavelens-amdgpu-mode))
      ;; The text is not what the file holds.
      (setq-local revert-buffer-function (lambda (&rest _) (wavelens-binary-mode)))
      (add-hook 'write-contents-functions
                (lambda () (user-error "wavelens: this is the text of a binary; write it elsewhere and use `wavelens encode'"))
                nil t)
      (setq buffer-read-only t))))

;;; Server.

(defconst wavelens-modes '(wavelens-llvm-mode wavelens-mir-mode wavelens-spirv-mode wavelens-amdgpu-mode)
  "All four modes; one server answers them.")

(defclass wavelens-server (eglot-lsp-server) ()
  "The Wavelens language server.")

(defun wavelens--missing ()
  "Say how to get the server."
  (message "wavelens: `%s' was not found on `exec-path'; install it, or set `wavelens-command'" (car wavelens-command)))

(defun wavelens--contact (&rest _)
  "Command and settings, as Eglot wants them."
  `(wavelens-server ,@wavelens-command
                    :initializationOptions (:hover.tables "text" ,@wavelens-settings)))

(cl-defmethod eglot-client-capabilities ((_server wavelens-server))
  "Tell our server that the files that its commands write are shown here."
  (let ((all (cl-call-next-method)))
    (plist-put all :experimental '(:wavelens (:showsFiles t)))))

;; Eglot before 1.10 has one language for a server: the buffer's mode says it.
(when (slot-exists-p 'eglot-lsp-server 'language-id)
  (cl-defmethod eglot--language-id ((_server wavelens-server))
    (or (get major-mode 'eglot-language-id) (cl-call-next-method))))

(dolist (entry '((wavelens-llvm-mode . "llvm") (wavelens-mir-mode . "mir")
                 (wavelens-spirv-mode . "spirv") (wavelens-amdgpu-mode . "amdgpu")))
  (put (car entry) 'eglot-language-id (cdr entry)))
(add-to-list 'eglot-server-programs (cons wavelens-modes #'wavelens--contact))

(defun wavelens--view-p ()
  "Whether the buffer shows a file that the server wrote: no server is needed."
  (string-match-p "/wavelens-session-[0-9a-f]+/" buffer-file-name))

(defun wavelens-ensure ()
  "Start the server for this buffer, or say what is missing."
  (cond ((or (not buffer-file-name) (wavelens--view-p)))
        ((executable-find (car wavelens-command)) (eglot-ensure))
        (t (wavelens--missing))))

(dolist (mode wavelens-modes)
  (add-hook (intern (format "%s-hook" mode)) #'wavelens-ensure))

;; Documentation at point and the signature of an instruction are shown together.
(add-hook 'eglot-managed-mode-hook
          (lambda ()
            (when (memq major-mode wavelens-modes)
              (setq-local eldoc-documentation-strategy #'eldoc-documentation-compose))))

;;; Views: the server writes files, which are shown next to the source.

(defun wavelens--run (command &rest more)
  "Run the server's COMMAND on the buffer with the properties MORE.
Show the file that it writes."
  (let* ((argument `(:uri ,(eglot--path-to-uri buffer-file-name) ,@more))
         (server (eglot--current-server-or-lose)))
    (jsonrpc-async-request
     server :workspace/executeCommand (list :command command :arguments (vector argument))
     :success-fn (lambda (answer)
                   (let ((file (plist-get answer :file)))
                     (cond ((and (plist-get answer :problem) (equal (plist-get answer :text) ""))
                            (message "wavelens: %s" (plist-get answer :problem)))
                           ((not file))
                           ((plist-get answer :report) (wavelens--show-reduced answer))
                           ((string-suffix-p ".svg" file) (wavelens--show-picture file))
                           (t (wavelens--show file)))))
     :error-fn (lambda (problem) (message "wavelens: %s" (plist-get problem :message)))
     :timeout 300)))

(defun wavelens--show-reduced (answer)
  "Show the reduced file that ANSWER names, and say where the report is."
  (wavelens--show (plist-get answer :file))
  (message "wavelens: reduced from %d to %d lines; the report is in %s"
           (plist-get answer :before) (plist-get answer :after) (plist-get answer :report)))

(defun wavelens--show-picture (file)
  "Show the picture in FILE: here if Emacs can draw it, else in a browser."
  (cond ((and (display-graphic-p) (image-type-available-p 'svg)) (wavelens--show file))
        ((display-graphic-p) (browse-url-of-file file))
        (t (message "wavelens: the picture is in %s" file))))

(defun wavelens--show (file)
  "Show FILE next to the source and read it again whenever the server writes it."
  (let ((buffer (let ((revert-without-query '(".*"))) ; A view that is shown again has changed.
                  (find-file-noselect file))))
    (with-current-buffer buffer
      (when (string-suffix-p ".diff" file) (diff-mode))
      (when (string-suffix-p ".svg" file) (image-mode))
      (setq buffer-read-only t)
      (setq-local truncate-lines t)
      (setq-local revert-without-query '(".*"))
      (auto-revert-mode 1))
    (display-buffer buffer '((display-buffer-reuse-window display-buffer-in-previous-window display-buffer-pop-up-window)))))

(defun wavelens-show-isa ()
  "Show the generated ISA of the buffer; it is kept fresh."
  (interactive)
  (wavelens--run "wavelens.showIsa"))

(cl-defmethod eglot-execute-command ((_server wavelens-server) (_command (eql wavelens.showIsa)) _arguments)
  "Show the generated ISA when a code action asks for it."
  (wavelens-show-isa))

(defun wavelens-show-cfg (&optional dominators)
  "Show the control flow of the function at point.
With a prefix argument (DOMINATORS) show its dominator tree.
It is a picture where Emacs can draw it, and text in a terminal."
  (interactive "P")
  (wavelens--run "wavelens.cfg" :position (eglot--pos-to-lsp-position) :dominators (if dominators t :json-false)
                 :format (if (and (display-graphic-p) (image-type-available-p 'svg)) "svg" "text")))

(defun wavelens-compare-targets ()
  "Compare what kernels need on several processors."
  (interactive)
  (wavelens--run "wavelens.compare"))

(defun wavelens-compare-interface (file)
  "Compare the interface of this SPIR-V module with that of another stage, in FILE."
  (interactive "fModule of another stage: ")
  (wavelens--run "wavelens.interface" :others (vector (eglot--path-to-uri (expand-file-name file)))))

(defun wavelens-show-passes (pass)
  "Show what each pass whose name contains PASS changed."
  (interactive "sPart of the pass's name (empty: all): ")
  (wavelens--run "wavelens.passes" :pass pass))

(defun wavelens-show-history ()
  "Show what each pass did to the value or line at point."
  (interactive)
  (wavelens--run "wavelens.trace" :position (eglot--pos-to-lsp-position)))

(defun wavelens-show-remarks ()
  "Show what passes of opt and llc could not do, and what they did."
  (interactive)
  (wavelens--run "wavelens.remarks"))

(defun wavelens-advise ()
  "Show changes that give a kernel more waves or fewer spills, each tried by compiling."
  (interactive)
  (wavelens--run "wavelens.advise"))

(defun wavelens-reduce (&optional cancel condition)
  "Make the file smaller while it keeps its first error, or crashes the compiler.
With a prefix argument (CANCEL) end the reduction that runs.
CONDITION is the code of another finding, or \"crash\"."
  (interactive "P")
  (unless cancel
    (message "wavelens: reducing the file; C-u %s cancels it" (substitute-command-keys "\\[wavelens-reduce]")))
  (apply #'wavelens--run "wavelens.reduce"
         (cond (cancel '(:cancel t)) (condition (list :while condition)))))

(cl-defmethod eglot-execute-command ((_server wavelens-server) (_command (eql wavelens.reduce)) arguments)
  "Reduce the file when a code action asks for it; ARGUMENTS name the finding."
  (wavelens-reduce nil (plist-get (aref arguments 0) :while)))

(defun wavelens-processors ()
  "The processors that the server knows, newest first."
  (let* ((experimental (plist-get (eglot--capabilities (eglot--current-server-or-lose)) :experimental))
         (groups (plist-get (plist-get experimental :targets) :processors)))
    (seq-mapcat (lambda (group) (append (aref group 1) nil)) groups)))

(defun wavelens--change-setting (name value)
  "Give the setting NAME the value VALUE, without a restart."
  (setq wavelens-settings (plist-put (copy-sequence wavelens-settings) name value))
  (jsonrpc-notify (eglot--current-server-or-lose) :workspace/didChangeConfiguration
                  (list :settings (list :wavelens wavelens-settings))))

(defun wavelens-set-target (processor)
  "Compile and check files that do not name a processor for PROCESSOR, without a restart."
  (interactive (list (completing-read "Processor: " (wavelens-processors))))
  (wavelens--change-setting :target processor))

(defun wavelens-set-hints (preset)
  "Choose how many inlay hints are shown: PRESET is off, calm or all."
  (interactive (list (completing-read "Inlay hints: " '("off" "calm" "all") nil t)))
  (wavelens--change-setting :inlayHints.preset preset))

(defun wavelens-run-test ()
  "Run the RUN lines of the file and show what they write."
  (interactive)
  (wavelens--run "wavelens.lit.output"))

(provide 'wavelens)
;;; wavelens.el ends here
