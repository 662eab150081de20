;;; wavelens.el --- Eglot setup for the Wavelens language server -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; (require 'wavelens) and open a file: Eglot starts `wavelens lsp'.

;;; Code:

(require 'cl-lib)
(require 'eglot)

(defgroup wavelens nil "LLVM IR, Machine IR, SPIR-V and AMDGPU assembly." :group 'languages)

(defcustom wavelens-command '("wavelens" "lsp")
  "Program and arguments of the server."
  :type '(repeat string))

(defcustom wavelens-settings nil
  "Settings of the server as a property list, such as (:target \"gfx1100\")."
  :type 'plist)

(defun wavelens--contact (&rest _)
  "Command and settings, as Eglot wants them."
  (append wavelens-command
          (when wavelens-settings (list :initializationOptions wavelens-settings))))

(cl-defmethod eglot-client-capabilities :around ((server eglot-lsp-server))
  "Tell the server (SERVER, if it is ours) that what its commands write is shown here."
  (let ((all (cl-call-next-method)))
    (plist-put all :experimental '(:wavelens (:showsFiles t)))))

(defmacro wavelens--define-mode (mode name comment keywords)
  "Define MODE called NAME with COMMENT as line comment and KEYWORDS to colour."
  `(define-derived-mode ,mode prog-mode ,name
     (setq-local comment-start ,comment)
     (setq-local comment-start-skip ";+ *")
     (setq-local font-lock-defaults '(,keywords))))

(defconst wavelens--common-keywords
  '((";.*$" . font-lock-comment-face)
    ("[%$][-a-zA-Z$._0-9]+" . font-lock-variable-name-face)
    ("@[-a-zA-Z$._0-9]+" . font-lock-function-name-face)
    ("\\_<\\(?:Op[A-Z][A-Za-z0-9]*\\|G_[A-Z0-9_]+\\|[svd]s?_[a-z0-9_]+\\)\\_>" . font-lock-keyword-face)
    ("\\_<\\(?:define\\|declare\\|ret\\|br\\|call\\|load\\|store\\|phi\\|switch\\|unreachable\\)\\_>"
     . font-lock-keyword-face)
    ("\\_<\\(?:i[0-9]+\\|ptr\\|float\\|double\\|half\\|void\\|label\\|metadata\\)\\_>" . font-lock-type-face)))

(wavelens--define-mode wavelens-llvm-mode "LLVM" ";" wavelens--common-keywords)
(wavelens--define-mode wavelens-mir-mode "MIR" ";" wavelens--common-keywords)
(wavelens--define-mode wavelens-spirv-mode "SPIR-V" ";" wavelens--common-keywords)
(wavelens--define-mode wavelens-amdgpu-mode "AMDGPU" ";" wavelens--common-keywords)

(dolist (entry '(("\\.ll\\'" . wavelens-llvm-mode)
                 ("\\.mir\\'" . wavelens-mir-mode)
                 ("\\.spvasm\\'" . wavelens-spirv-mode)))
  (add-to-list 'auto-mode-alist entry))

(dolist (entry '((wavelens-llvm-mode . "llvm") (wavelens-mir-mode . "mir")
                 (wavelens-spirv-mode . "spirv") (wavelens-amdgpu-mode . "amdgpu")))
  (put (car entry) 'eglot-language-id (cdr entry))
  (add-to-list 'eglot-server-programs (cons (car entry) #'wavelens--contact))
  (add-hook (intern (format "%s-hook" (car entry))) #'eglot-ensure))

;;; Views: the server writes files, which are shown beside the source.

(defun wavelens--run (command &rest more)
  "Run the server's COMMAND on the buffer with the properties MORE, and show the file that it writes."
  (let* ((argument `(:uri ,(eglot--path-to-uri buffer-file-name) ,@more))
         (server (eglot--current-server-or-lose)))
    (jsonrpc-async-request
     server :workspace/executeCommand (list :command command :arguments (vector argument))
     :success-fn (lambda (answer)
                   (let ((file (plist-get answer :file)))
                     (cond ((and (plist-get answer :problem) (equal (plist-get answer :text) ""))
                            (message "wavelens: %s" (plist-get answer :problem)))
                           ((not file))
                           ((string-suffix-p ".svg" file) (browse-url-of-file file))
                           (t (wavelens--show file)))))
     :error-fn (lambda (problem) (message "wavelens: %s" (plist-get problem :message)))
     :timeout 120)))

(defun wavelens--show (file)
  "Show FILE beside the source and read it again whenever the server writes it."
  (let ((buffer (find-file-noselect file)))
    (with-current-buffer buffer
      (setq buffer-read-only t)
      (setq-local revert-without-query '(".*"))
      (auto-revert-mode 1))
    (display-buffer buffer)))

(defun wavelens-show-isa ()
  "Show the generated ISA of the buffer; it is kept fresh."
  (interactive)
  (wavelens--run "wavelens.showIsa"))

(cl-defmethod eglot-execute-command (_server (_command (eql wavelens.showIsa)) _arguments)
  "Show the generated ISA when a code action asks for it."
  (wavelens-show-isa))

(defun wavelens-show-cfg (&optional dominators)
  "Draw the control flow of the function at point; with a prefix argument (DOMINATORS) its dominator tree."
  (interactive "P")
  (wavelens--run "wavelens.cfg" :position (eglot--pos-to-lsp-position) :dominators (if dominators t :json-false)))

(defun wavelens-compare-targets ()
  "Show what kernels take on several processors."
  (interactive)
  (wavelens--run "wavelens.compare"))

(defun wavelens-show-passes (pass)
  "Show what each pass whose name contains PASS changed."
  (interactive "sPart of the pass's name: ")
  (wavelens--run "wavelens.passes" :pass pass))

(provide 'wavelens)
;;; wavelens.el ends here
