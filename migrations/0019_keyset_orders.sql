CREATE INDEX `files_listed` ON `files` (`user_id`,`uploaded_at`) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null
    and ("files"."request_id" is null or "files"."forwarded_at" is not null);--> statement-breakpoint
CREATE INDEX `files_listed_by_name` ON `files` (`user_id`,"filename" collate nocase) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null
    and ("files"."request_id" is null or "files"."forwarded_at" is not null);--> statement-breakpoint
CREATE INDEX `files_listed_by_size` ON `files` (`user_id`,`size`) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null
    and ("files"."request_id" is null or "files"."forwarded_at" is not null);--> statement-breakpoint
CREATE INDEX `files_listed_by_expiry` ON `files` (`user_id`,case when "expires_at" is null then 9007199254740991 else "expires_at" end) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null
    and ("files"."request_id" is null or "files"."forwarded_at" is not null);--> statement-breakpoint
DROP INDEX `files_owner_newest`;
