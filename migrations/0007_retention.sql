CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `verifications_expires` ON `verifications` (`expires_at`);--> statement-breakpoint
CREATE INDEX `files_ended` ON `files` (`created_at`) WHERE "files"."status" in ('failed', 'cancelled');