CREATE TABLE `plan_days` (
	`day` text NOT NULL,
	`plan_type` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`day`, `plan_type`),
	CONSTRAINT "plan_days_plan_type" CHECK("plan_days"."plan_type" in ('free', 'professional', 'ultimate'))
);
