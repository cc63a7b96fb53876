CREATE TYPE "public"."inference_status" AS ENUM('pending', 'succeeded', 'failed');
--> statement-breakpoint
CREATE TYPE "public"."output_type" AS ENUM('text', 'image', 'audio');
--> statement-breakpoint
CREATE TYPE "public"."payment_state" AS ENUM('claimed', 'settling', 'unknown', 'settled', 'done', 'owed', 'rejected');
--> statement-breakpoint
CREATE TYPE "public"."task_type" AS ENUM('text-to-image', 'text-to-text', 'text-to-sound');
--> statement-breakpoint
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
CREATE TABLE "inferences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_address" text NOT NULL,
	"task_type" "task_type" NOT NULL,
	"model" text NOT NULL,
	"input" jsonb NOT NULL,
	"output_type" "output_type" NOT NULL,
	"output_data" jsonb,
	"status" "inference_status" NOT NULL,
	"predict_time_ms" integer,
	"estimated_cost_usdc" numeric(18, 6) NOT NULL,
	"actual_cost_usdc" numeric(18, 6),
	"payment_tx_hash" text,
	"payment_chain_id" integer,
	"staked_aic_at_time" numeric(30, 18),
	"discount_pct" numeric(5, 2),
	"effective_rate_usdc" numeric(18, 9),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	"error" jsonb,
	CONSTRAINT "inferences_payment_tx_hash_unique" UNIQUE("payment_tx_hash")
);
--> statement-breakpoint
CREATE TABLE "model_checks" (
	"model" text PRIMARY KEY NOT NULL,
	"is_there" boolean NOT NULL,
	"fits" boolean DEFAULT true NOT NULL,
	"checked_at" timestamp with time zone NOT NULL
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
CREATE TABLE "paid_rates" (
	"payer" text PRIMARY KEY NOT NULL,
	"recent" timestamp with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_keys" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"tx_hash" text,
	"inference_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_keys_tx_hash_unique" UNIQUE("tx_hash"),
	CONSTRAINT "payment_keys_inference_id_unique" UNIQUE("inference_id"),
	CONSTRAINT "payment_keys_authorization_key" UNIQUE("chain_id","asset","payer","nonce")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid NOT NULL,
	"chain_id" integer NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"request" jsonb NOT NULL,
	"request_hash" text NOT NULL,
	"quote" jsonb NOT NULL,
	"authorization" jsonb NOT NULL,
	"signature" text NOT NULL,
	"signature_recovered" boolean NOT NULL,
	"sign_in_nonce" text,
	"payment_identifier" text,
	"state" "payment_state" NOT NULL,
	"tx_hash" text,
	"sent_tx_hash" text,
	"settle_resends" integer DEFAULT 0 NOT NULL,
	"provider_prediction_id" text,
	"object_key" text NOT NULL,
	"inference_id" uuid NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"lease_token" text,
	"reason" text,
	"settled_at" timestamp with time zone,
	"output_digests" jsonb,
	"chain_checked_at" timestamp with time zone,
	"rerun_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"resolution" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_id_created_at_pk" PRIMARY KEY("id","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"inference_id" uuid NOT NULL,
	"shows_prompt" boolean NOT NULL,
	"object_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shares_inference_id_unique" UNIQUE("inference_id")
);
--> statement-breakpoint
CREATE TABLE "used_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"bound_to" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"address" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inferences" ADD CONSTRAINT "inferences_user_address_users_address_fk" FOREIGN KEY ("user_address") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "inferences_owner_idx" ON "inferences" USING btree ("user_address","created_at" desc,"id" desc);
--> statement-breakpoint
CREATE INDEX "inferences_status_idx" ON "inferences" USING btree ("status","created_at" desc,"id" desc);
--> statement-breakpoint
CREATE INDEX "inferences_model_times_idx" ON "inferences" USING btree ("model","completed_at" desc) WHERE "inferences"."status" = 'succeeded' and "inferences"."predict_time_ms" > 0;
--> statement-breakpoint
CREATE INDEX "payments_due_idx" ON "payments" USING btree ("next_attempt_at") WHERE "payments"."next_attempt_at" is not null;
--> statement-breakpoint
CREATE INDEX "payments_payer_idx" ON "payments" USING btree ("payer","created_at" desc);
--> statement-breakpoint
CREATE INDEX "payments_under_way_idx" ON "payments" USING btree ("payer","created_at" desc,"inference_id" desc) WHERE "payments"."state" = 'settled';
--> statement-breakpoint
CREATE INDEX "payments_prediction_idx" ON "payments" USING btree ("provider_prediction_id") WHERE "payments"."provider_prediction_id" is not null;
--> statement-breakpoint
CREATE INDEX "payments_identifier_idx" ON "payments" USING btree ("payer","payment_identifier") WHERE "payments"."payment_identifier" is not null;
--> statement-breakpoint
CREATE INDEX "payments_state_idx" ON "payments" USING btree ("state","created_at" desc);
--> statement-breakpoint
CREATE INDEX "used_nonces_used_at_idx" ON "used_nonces" USING btree ("used_at");
--> statement-breakpoint
-- Written with its owner's rights, so that a role that may write the journal alone can claim payments.
CREATE FUNCTION keep_payment_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		DELETE FROM payment_keys WHERE payment_id = OLD.id;
	ELSIF TG_OP = 'INSERT' THEN
		INSERT INTO payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
		VALUES (NEW.id, NEW.chain_id, NEW.asset, NEW.payer, NEW.nonce, NEW.tx_hash, NEW.inference_id, NEW.created_at);
	ELSE
		UPDATE payment_keys SET payment_id = NEW.id, chain_id = NEW.chain_id, asset = NEW.asset, payer = NEW.payer, nonce = NEW.nonce,
			tx_hash = NEW.tx_hash, inference_id = NEW.inference_id, created_at = NEW.created_at
		WHERE payment_id = OLD.id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION keep_payment_key() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER payments_keep_key AFTER INSERT OR DELETE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment_key();
--> statement-breakpoint
CREATE TRIGGER payments_keep_changed_key AFTER UPDATE OF id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at ON payments
	FOR EACH ROW EXECUTE FUNCTION keep_payment_key();
--> statement-breakpoint
CREATE FUNCTION payments_first_month() RETURNS date LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
	SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^payments_before_\d{4}_\d\d$'
$$;
--> statement-breakpoint
-- Makes the partitions of the month of `today` and of so many months after it that are missing; returns how many it made.
CREATE FUNCTION make_payment_months(today date, months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
	month date;
	name text;
	made integer := 0;
BEGIN
	FOR n IN 0..months LOOP
		month := date_trunc('month', today)::date + make_interval(months => n);
		name := 'payments_' || to_char(month, 'YYYY_MM');
		CONTINUE WHEN month < payments_first_month() OR to_regclass(name) IS NOT NULL;
		-- Two jobs at once make it once: the table is looked up anew, since names that were resolved before may be remembered.
		PERFORM pg_advisory_xact_lock(7402403);
		CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = name);
		-- Attached, not created in place: sales go on meanwhile.
		EXECUTE format('CREATE TABLE %I (LIKE payments INCLUDING DEFAULTS)', name);
		EXECUTE format('ALTER TABLE payments ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
			to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
		made := made + 1;
	END LOOP;
	RETURN made;
END $$;
--> statement-breakpoint
-- The owner may, and whom it grants it: the role of the server (docs/deploy/roles.sql).
REVOKE EXECUTE ON FUNCTION make_payment_months(date, integer) FROM PUBLIC;
--> statement-breakpoint
-- All times before the month in which the database is made, which its name carries; then this month and the next two.
DO $$
DECLARE
	first date := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
	EXECUTE format('CREATE TABLE %I PARTITION OF payments FOR VALUES FROM (MINVALUE) TO (%L)', 'payments_before_' || to_char(first, 'YYYY_MM'),
		to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00');
	-- The net: a time that no month has. It should stay empty; the doctor looks.
	CREATE TABLE payments_default PARTITION OF payments DEFAULT;
	PERFORM make_payment_months(first, 2);
END $$;
