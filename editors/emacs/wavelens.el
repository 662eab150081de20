;;; wavelens.el --- Eglot setup for the Wavelens language server -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; (require 'wavelens) and open a file: Eglot starts `wavelens lsp'.

;;; Code:

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

(provide 'wavelens)
;;; wavelens.el ends here
