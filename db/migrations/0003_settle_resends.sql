ALTER TABLE "payments" ADD COLUMN "sent_tx_hash" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "settle_resends" integer DEFAULT 0 NOT NULL;