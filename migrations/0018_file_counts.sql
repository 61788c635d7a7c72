CREATE TABLE `file_counts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`listed` integer NOT NULL,
	`stored` integer NOT NULL,
	`stored_bytes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- D1 splits a file that it applies from afar at each `;`, unless it sees a trigger: in one line, with BEGIN and END in
-- capitals, and without CASE. No trigger is needed for new rows: an upload counts once it is ready, and a dump of all
-- tables has its counts with it. The owner of a file never changes.
CREATE TRIGGER `file_counts_update` AFTER UPDATE OF `status`, `size`, `deleted_at`, `s3_deleted_at`, `request_id`, `forwarded_at` ON `files` WHEN new.`user_id` IS NOT NULL AND (new.`status` = 'ready' OR old.`status` = 'ready') AND (new.`status` <> old.`status` OR new.`size` <> old.`size` OR (new.`deleted_at` IS NULL) <> (old.`deleted_at` IS NULL) OR (new.`s3_deleted_at` IS NULL) <> (old.`s3_deleted_at` IS NULL) OR (new.`request_id` IS NULL OR new.`forwarded_at` IS NOT NULL) <> (old.`request_id` IS NULL OR old.`forwarded_at` IS NOT NULL)) BEGIN INSERT INTO `file_counts` VALUES (new.`user_id`, (new.`status` = 'ready' AND new.`deleted_at` IS NULL AND (new.`request_id` IS NULL OR new.`forwarded_at` IS NOT NULL)) - (old.`status` = 'ready' AND old.`deleted_at` IS NULL AND (old.`request_id` IS NULL OR old.`forwarded_at` IS NOT NULL)), (new.`status` = 'ready' AND new.`s3_deleted_at` IS NULL) - (old.`status` = 'ready' AND old.`s3_deleted_at` IS NULL), (new.`status` = 'ready' AND new.`s3_deleted_at` IS NULL) * new.`size` - (old.`status` = 'ready' AND old.`s3_deleted_at` IS NULL) * old.`size`) ON CONFLICT (`user_id`) DO UPDATE SET `listed` = `listed` + excluded.`listed`, `stored` = `stored` + excluded.`stored`, `stored_bytes` = `stored_bytes` + excluded.`stored_bytes`; END;
--> statement-breakpoint
CREATE TRIGGER `file_counts_delete` AFTER DELETE ON `files` WHEN old.`user_id` IS NOT NULL AND old.`status` = 'ready' BEGIN UPDATE `file_counts` SET `listed` = `listed` - (old.`deleted_at` IS NULL AND (old.`request_id` IS NULL OR old.`forwarded_at` IS NOT NULL)), `stored` = `stored` - (old.`s3_deleted_at` IS NULL), `stored_bytes` = `stored_bytes` - (old.`s3_deleted_at` IS NULL) * old.`size` WHERE `user_id` = old.`user_id`; END;
--> statement-breakpoint
-- After the triggers, so that nothing between them and this statement is missing: it sets what all rows add up to.
INSERT INTO `file_counts`
SELECT `user_id`, sum(`deleted_at` IS NULL AND (`request_id` IS NULL OR `forwarded_at` IS NOT NULL)), sum(`s3_deleted_at` IS NULL), sum((`s3_deleted_at` IS NULL) * `size`)
FROM `files` WHERE `user_id` IS NOT NULL AND `status` = 'ready' GROUP BY `user_id`
ON CONFLICT (`user_id`) DO UPDATE SET `listed` = excluded.`listed`, `stored` = excluded.`stored`, `stored_bytes` = excluded.`stored_bytes`;
