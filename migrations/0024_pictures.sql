ALTER TABLE `users` ADD `shows_pictures` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `picture_objects` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `picture_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `first_pictures` text;--> statement-breakpoint
ALTER TABLE `files` ADD `shows_picture` integer;