ALTER TABLE "payments" ADD COLUMN "sign_in_nonce" text;--> statement-breakpoint
ALTER TABLE "used_nonces" ADD COLUMN "bound_to" text;