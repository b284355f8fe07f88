;;; Fetches an Atom feed over HTTP with elfeed, and prints one JSON object.  -*- lexical-binding: t -*-
;;
;;   emacs --batch --load fetch_with_elfeed.el ADDRESS
;;
;; The object has `status`, the status code of the response, and `ids`, the ids of all entries in the database. The database is below HOME,
;; so the next run knows the feed's ETag.

(require 'elfeed)
(require 'json)

(setq elfeed-db-directory (concat (file-name-as-directory (getenv "HOME")) "elfeed")
      elfeed-log-level 'error
      elfeed-use-curl t
      elfeed-curl-timeout 60)

(defvar status nil "The status code of the response, once it has been read.")
(add-hook 'elfeed-update-hooks (lambda (_address) (setq status elfeed-curl-status-code)))
(add-hook 'elfeed-http-error-hooks (lambda (_address error) (setq status (format "%s" error))))

(elfeed-update-feed (car command-line-args-left))
(setq command-line-args-left nil)
(with-timeout (90 (setq status "no response"))
  (while (not status) (accept-process-output nil 0.1)))
(let (ids)
  (with-elfeed-db-visit (entry _feed) (push (cdr (elfeed-entry-id entry)) ids))
  (princ (json-encode `((status . ,status) (ids . ,(vconcat ids))))))
(elfeed-db-save)
