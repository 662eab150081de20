;; Opens the file that is named on the command line and waits for its first findings.
(setq eglot-sync-connect 10)
(find-file (car command-line-args-left))
(setq command-line-args-left nil)
;; In batch mode no command follows the opening of a file, after which the hook would connect.
(unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
(let ((tries 0))
  (while (and (< tries 600) (null (flymake-diagnostics)))
    (accept-process-output nil 0.05)
    (flymake-start)
    (setq tries (1+ tries))))
(princ (format "findings: %d\n" (length (flymake-diagnostics))))
(ignore-errors (eglot-shutdown (eglot-current-server)))
(kill-emacs 0)
