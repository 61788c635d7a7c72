CREATE TABLE `database_days` (
	`day` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `database_warnings` (
	`percent` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
