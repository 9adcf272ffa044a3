import { theBrief } from '#app/features/catalogue/price-proofs.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { priceLabels } from './price-labels.ts';

const needs = 'prices:change';

/** Changes the price now, or from a day to come. */
export function ChangePrice({ form }: { form: FormState }) {
  return (
    <ActForm act="price" form={form} needs={needs} submit="Change the price" look="primary">
      <h2 className="text-lg">Change the price</h2>
      <TextField form={form} name="price" label={priceLabels.price} inputMode="decimal" required />
      {form.errors.again && <TextField form={form} name="again" label={priceLabels.again} inputMode="decimal" />}
      <TextField
        form={form}
        name="original"
        label={priceLabels.original}
        hint="Only a price that was charged for four weeks within the last six months."
        inputMode="decimal"
      />
      <TextField
        form={form}
        name="from"
        label={priceLabels.from}
        hint="Leave it empty to change the price now. Otherwise it changes at midnight in Brisbane, automatically."
        type="date"
      />
      <TextField form={form} name="note" label={priceLabels.note} />
    </ActForm>
  );
}

type ConfirmProps = { original: number | null; proof: string | null; confirmed: string | null; form: FormState };

/** The owner confirms the original price of the brief, or takes that back. */
export function ConfirmOriginal({ original, proof, confirmed, form }: ConfirmProps) {
  if (original === null) return null;
  if (confirmed !== null) {
    return (
      <ActForm act="unconfirm" form={form} needs={needs} submit="Take the confirmation back">
        <h2 className="text-lg">Original price</h2>
        <p>
          Confirmed on {confirmed}: “{proof}”. Buyers read this on the page “Figures and their sources”.
        </p>
      </ActForm>
    );
  }
  if (proof !== theBrief) return null;
  return (
    <ActForm act="confirm" form={form} needs={needs} submit={`Confirm ${formatExact(original)}`}>
      <h2 className="text-lg">Confirm the original price</h2>
      <p>It comes from the brief of 2025. Confirm it only if it was charged.</p>
      <TextField
        form={form}
        name="proof"
        label={priceLabels.proof}
        hint="Buyers read it. Such as: price list of 1 March 2025 and its invoices."
        required
      />
    </ActForm>
  );
}
