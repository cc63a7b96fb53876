CREATE TABLE "asset_sum_parts" (
	"chain_id" integer NOT NULL,
	"asset" text NOT NULL,
	"part" smallint NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	CONSTRAINT "asset_sum_parts_chain_id_asset_part_pk" PRIMARY KEY("chain_id","asset","part")
);
--> statement-breakpoint
CREATE TABLE "day_sum_parts" (
	"day" date NOT NULL,
	"part" smallint NOT NULL,
	"runs" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "day_sum_parts_day_part_pk" PRIMARY KEY("day","part")
);
--> statement-breakpoint
CREATE TABLE "model_sum_parts" (
	"model" text NOT NULL,
	"part" smallint NOT NULL,
	"succeeded" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"timed" bigint DEFAULT 0 NOT NULL,
	"predict_time_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "model_sum_parts_model_part_pk" PRIMARY KEY("model","part")
);
