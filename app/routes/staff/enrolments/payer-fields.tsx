import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { enrolmentLabels as labels } from './enrolment-labels.ts';

const payers = [
  ['person', 'A person pays'],
  ['organisation', 'An organisation pays'],
] as const;

/** The fields of the buyer and of who pays; those of an organisation show once it pays. */
export function PayerFields({ form }: { form: FormState }) {
  const { organisation, abn, purchaseOrder, accountsEmail } = form.values;
  const usual = [organisation, abn, purchaseOrder, accountsEmail].some(Boolean) ? 'organisation' : 'person';
  return (
    <div className="group grid gap-4 sm:grid-cols-2">
      <TextField form={form} name="buyerName" label={labels.buyerName} required />
      <TextField form={form} name="email" label={labels.email} type="email" required />
      <TextField form={form} name="phone" label={labels.phone} type="tel" />
      <TextField form={form} name="address" label={labels.address} />
      <fieldset className="flex flex-wrap gap-x-6 sm:col-span-2">
        <legend className="sr-only">Who pays</legend>
        {payers.map(([value, text]) => (
          <label key={value} className="flex min-h-8 items-center gap-2 font-semibold">
            <input type="radio" name="payer" value={value} defaultChecked={(form.values.payer || usual) === value} />
            {text}
          </label>
        ))}
      </fieldset>
      <div className="contents group-has-[[name=payer][value=person]:checked]:hidden">
        <TextField form={form} name="organisation" label={labels.organisation} />
        <TextField form={form} name="abn" label={labels.abn} inputMode="numeric" />
        <TextField form={form} name="purchaseOrder" label={labels.purchaseOrder} />
        <TextField form={form} name="accountsEmail" label={labels.accountsEmail} type="email" />
      </div>
    </div>
  );
}
