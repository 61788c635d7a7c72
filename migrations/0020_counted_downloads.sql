CREATE TABLE `counted_downloads` (
	`day` integer NOT NULL,
	`id` blob NOT NULL,
	PRIMARY KEY(`day`, `id`)
) WITHOUT ROWID;
