CREATE TABLE "shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"inference_id" uuid NOT NULL,
	"shows_prompt" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shares_inference_id_unique" UNIQUE("inference_id")
);
