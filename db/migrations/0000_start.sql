CREATE TYPE "public"."inference_status" AS ENUM('pending', 'succeeded', 'failed');--> statement-breakpoint
CREATE TYPE "public"."output_type" AS ENUM('text', 'image', 'audio');--> statement-breakpoint
CREATE TYPE "public"."task_type" AS ENUM('text-to-image', 'text-to-text', 'text-to-sound');--> statement-breakpoint
CREATE TYPE "public"."payment_state" AS ENUM('claimed', 'settling', 'unknown', 'settled', 'done', 'owed', 'rejected');--> statement-breakpoint
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
CREATE TABLE "paid_rates" (
	"payer" text PRIMARY KEY NOT NULL,
	"recent" timestamp with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
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
	"state" "payment_state" NOT NULL,
	"tx_hash" text,
	"provider_prediction_id" text,
	"object_key" text NOT NULL,
	"inference_id" uuid NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"lease_token" text,
	"reason" text,
	"settled_at" timestamp with time zone,
	"chain_checked_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_tx_hash_unique" UNIQUE("tx_hash"),
	CONSTRAINT "payments_inference_id_unique" UNIQUE("inference_id"),
	CONSTRAINT "payments_authorization_key" UNIQUE("chain_id","asset","payer","nonce")
);
--> statement-breakpoint
CREATE TABLE "asset_sums" (
	"chain_id" integer NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	CONSTRAINT "asset_sums_chain_id_asset_pk" PRIMARY KEY("chain_id","asset")
);
--> statement-breakpoint
CREATE TABLE "day_sums" (
	"day" date PRIMARY KEY NOT NULL,
	"runs" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_sums" (
	"model" text PRIMARY KEY NOT NULL,
	"succeeded" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"timed" bigint DEFAULT 0 NOT NULL,
	"predict_time_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"address" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inferences" ADD CONSTRAINT "inferences_user_address_users_address_fk" FOREIGN KEY ("user_address") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inferences_owner_idx" ON "inferences" USING btree ("user_address","created_at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "inferences_status_idx" ON "inferences" USING btree ("status","created_at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "inferences_model_times_idx" ON "inferences" USING btree ("model","completed_at" desc) WHERE "inferences"."status" = 'succeeded' and "inferences"."predict_time_ms" > 0;--> statement-breakpoint
CREATE INDEX "payments_due_idx" ON "payments" USING btree ("next_attempt_at") WHERE "payments"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_payer_idx" ON "payments" USING btree ("payer","created_at" desc);--> statement-breakpoint
CREATE INDEX "payments_prediction_idx" ON "payments" USING btree ("provider_prediction_id") WHERE "payments"."provider_prediction_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_state_idx" ON "payments" USING btree ("state","created_at" desc);--> statement-breakpoint
CREATE INDEX "used_nonces_used_at_idx" ON "used_nonces" USING btree ("used_at");