;; Opens each file of WAVELENS_ASSEMBLY in Emacs and prints its mode.
(package-initialize)
(load (getenv "WAVELENS_EL"))
;; Only the modes matter here: no server is started.
(setq wavelens-command '("wavelens-is-not-started"))
(let ((enable-local-variables nil))
  (dolist (file (directory-files-recursively (getenv "WAVELENS_ASSEMBLY") "\\.s\\'"))
    (let ((mode (with-current-buffer (let ((inhibit-message t)) (find-file-noselect file)) major-mode)))
      (princ (format "%s %s\n" file (if (eq mode 'wavelens-amdgpu-mode) "amdgpu" "other"))))))
