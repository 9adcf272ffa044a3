import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { enrolmentLabels as labels } from './enrolment-labels.ts';

/** The fields of the buyer and the payer. */
export function PayerFields({ form }: { form: FormState }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField form={form} name="buyerName" label={labels.buyerName} required />
      <TextField form={form} name="email" label={labels.email} type="email" required />
      <TextField form={form} name="phone" label={labels.phone} type="tel" />
      <TextField form={form} name="organisation" label={labels.organisation} />
      <TextField form={form} name="abn" label={labels.abn} inputMode="numeric" />
      <TextField form={form} name="address" label={labels.address} />
      <TextField form={form} name="purchaseOrder" label={labels.purchaseOrder} />
      <TextField form={form} name="accountsEmail" label={labels.accountsEmail} type="email" />
    </div>
  );
}
