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
