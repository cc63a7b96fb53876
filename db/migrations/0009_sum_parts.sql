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

--> statement-breakpoint
-- Roles that may use the sums may use their parts.
DO $$
DECLARE
	item record;
BEGIN
	FOR item IN SELECT c.relname, a.grantee, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
		WHERE c.oid IN ('model_sums'::regclass, 'day_sums'::regclass, 'asset_sums'::regclass) AND a.grantee <> c.relowner
	LOOP
		EXECUTE format('GRANT %s ON %I TO %s', item.privilege_type, replace(item.relname, '_sums', '_sum_parts'),
			CASE item.grantee WHEN 0 THEN 'PUBLIC' ELSE item.grantee::regrole::text END);
	END LOOP;
END $$;
