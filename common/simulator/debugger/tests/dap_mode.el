;;; Emacs' dap-mode as the editor: stops, looks, steps and goes on without a window. -*- lexical-binding: t -*-
;; WARPBOOK_COMMAND, SOURCE, LINE and PROGRAM are in the environment.
(package-initialize)
(require 'dap-mode)
(setq lsp-session-file (expand-file-name "session" (getenv "HOME"))
      dap-breakpoints-file (expand-file-name "breakpoints" (getenv "HOME"))
      dap-auto-configure-features nil)
(defvar ended nil)
(defvar stops 0)

(dap-register-debug-provider
 "warpbook"
 (lambda (given) (plist-put given :dap-server-path (list (getenv "WARPBOOK_COMMAND") "debug" "--dap")) given))

(find-file (getenv "SOURCE"))
(forward-line (1- (string-to-number (getenv "LINE"))))
(dap-breakpoint-add)

(add-hook 'dap-stack-frame-changed-hook
          (lambda (session)
            (when-let ((frame (dap--debug-session-active-frame session)))
              (setq stops (1+ stops))
              (message "stands in %s, line %s" (gethash "name" frame) (gethash "line" frame))
              (dap--send-message
               (dap--make-request "evaluate" (list :expression "i" :frameId (gethash "id" frame)))
               (lambda (answer)
                 (message "i is %s" (gethash "result" (gethash "body" answer)))
                 (if (= stops 1)
                     (dap-next session)
                   (dap-breakpoint-delete-all)
                   (dap-continue session (dap--debug-session-thread-id session))))
               session))))
(add-hook 'dap-terminated-hook (lambda (_) (setq ended t)))

(dap-debug (list :type "warpbook" :request "launch" :name "tested" :program (getenv "PROGRAM")))
(let ((latest (+ (float-time) 60)))
  (while (and (not ended) (< (float-time) latest)) (accept-process-output nil 0.1)))
(dolist (buffer (buffer-list))
  (when (string-match "tested" (buffer-name buffer))
    (message "%s" (with-current-buffer buffer (buffer-string)))))
(message "has ended: %s" ended)
