;;; Reads Atom feeds with elfeed, and prints the entries of its database.  -*- lexical-binding: t -*-
;;
;;   emacs --batch --load read_with_elfeed.el FEED...
;;
;; Each FEED is a later version of the same feed. Prints a JSON array with an array of entries for each version: the whole
;; database, with `id`, `title`, `link`, `date` (seconds since 1970), `author`, `content` and `unread`. After each version, all entries are marked as read.

(require 'elfeed)
(require 'json)

(setq elfeed-db-directory (concat (file-name-as-directory (getenv "HOME")) "elfeed")
      elfeed-log-level 'error
      coding-system-for-read 'utf-8-unix)

(defconst address "file:///timeline.atom")

(defun read-version (path)
  "Add the entries of the feed at PATH to the database, and return all of its entries."
  (let ((xml (with-temp-buffer
               (insert-file-contents path)
               (elfeed-xml-parse-region (point-min) (point-max)))))
    (unless (eq (elfeed-feed-type xml) :atom) (error "Not an Atom feed"))
    (elfeed-db-add (elfeed-entries-from-atom address xml)))
  (let (entries)
    (with-elfeed-db-visit (entry _feed)
      (push `((id . ,(cdr (elfeed-entry-id entry)))
              (title . ,(elfeed-entry-title entry))
              (link . ,(elfeed-entry-link entry))
              (date . ,(truncate (elfeed-entry-date entry)))
              (author . ,(plist-get (car (elfeed-meta entry :authors)) :name))
              (content . ,(elfeed-deref (elfeed-entry-content entry)))
              (unread . ,(if (elfeed-tagged-p 'unread entry) t :json-false)))
            entries)
      (elfeed-untag entry 'unread))
    (vconcat (nreverse entries))))

(setq locale-coding-system 'utf-8)
(princ (json-encode (vconcat (mapcar #'read-version command-line-args-left))))
(setq command-line-args-left nil)
