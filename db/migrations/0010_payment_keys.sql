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
DO $$
DECLARE
	item record;
BEGIN
	FOR item IN SELECT a.grantee, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
		WHERE c.oid = 'payments'::regclass AND a.grantee <> c.relowner
	LOOP
		EXECUTE format('GRANT %s ON payment_keys TO %s', item.privilege_type,
			CASE item.grantee WHEN 0 THEN 'PUBLIC' ELSE item.grantee::regrole::text END);
	END LOOP;
END $$;
--> statement-breakpoint
-- Written with its owner's rights, so that a role that was granted the tables of an earlier release can still claim payments.
CREATE FUNCTION keep_payment_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		DELETE FROM payment_keys WHERE payment_id = OLD.id;
	ELSIF TG_OP = 'INSERT' THEN
		INSERT INTO payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
		VALUES (NEW.id, NEW.chain_id, NEW.asset, NEW.payer, NEW.nonce, NEW.tx_hash, NEW.inference_id, NEW.created_at);
	ELSE
		-- The row of a payment from before the keys may be missing until db/fill-payment-keys.ts comes to it.
		INSERT INTO payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
		VALUES (NEW.id, NEW.chain_id, NEW.asset, NEW.payer, NEW.nonce, NEW.tx_hash, NEW.inference_id, NEW.created_at)
		ON CONFLICT (payment_id) DO UPDATE SET chain_id = excluded.chain_id, asset = excluded.asset, payer = excluded.payer,
			nonce = excluded.nonce, tx_hash = excluded.tx_hash, inference_id = excluded.inference_id, created_at = excluded.created_at;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER payments_keep_key AFTER INSERT OR DELETE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment_key();
--> statement-breakpoint
CREATE TRIGGER payments_keep_changed_key AFTER UPDATE OF id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at ON payments
	FOR EACH ROW EXECUTE FUNCTION keep_payment_key();
