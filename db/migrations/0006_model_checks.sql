CREATE TABLE "model_checks" (
	"model" text PRIMARY KEY NOT NULL,
	"is_there" boolean NOT NULL,
	"checked_at" timestamp with time zone NOT NULL
);
