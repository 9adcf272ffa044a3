import type { ReactNode } from 'react';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';

export const payerLabels = {
  buyerName: 'Your name',
  phone: 'Phone',
  payer: 'Who pays',
  organisation: 'Organisation',
  abn: 'ABN',
  purchaseOrder: 'Purchase order',
  accountsEmail: 'Accounts payable',
  address: 'Postal address',
};

type Props = {
  form: FormState;
  addressHint: string;
  /** Fields after the name, such as the email address while it is not confirmed. */
  children?: ReactNode;
};

/** Who enrols and who pays, as buyers fill it in. Without scripts as well, an organisation's fields show once it is chosen. */
export function PayerFields({ form, addressHint, children }: Props) {
  const error = form.errors.payer;
  return (
    <div className="group/payer grid gap-5">
      <TextField form={form} name="buyerName" label={payerLabels.buyerName} autoComplete="name" required />
      {children}
      <TextField form={form} name="phone" label={payerLabels.phone} type="tel" autoComplete="tel" />
      <fieldset id="payer" tabIndex={-1} aria-describedby={error ? 'payer-error' : undefined} className="min-w-0">
        <legend className="mb-2 font-bold">{payerLabels.payer}</legend>
        {error && (
          <p id="payer-error" className="mb-2 font-semibold text-fault">
            {error}
          </p>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          {[
            ['person', 'I pay myself'],
            ['organisation', 'An organisation pays'],
          ].map(([value, label]) => (
            <label
              key={value}
              className="flex min-h-12 items-center gap-3 rounded-control border border-edge bg-card px-4 py-2 has-checked:border-action has-checked:ring-2 has-checked:ring-action hover:border-ink"
            >
              <input
                type="radio"
                name="payer"
                value={value}
                defaultChecked={form.values.payer === value}
                className="size-5 shrink-0 accent-action"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="hidden gap-5 group-has-[[value=organisation]:checked]/payer:grid">
        <TextField
          form={form}
          name="organisation"
          label={payerLabels.organisation}
          hint="As it should appear on the tax invoice."
          autoComplete="organization"
          required
        />
        <TextField form={form} name="abn" label={payerLabels.abn} hint="Eleven digits." inputMode="numeric" />
        <TextField form={form} name="purchaseOrder" label={payerLabels.purchaseOrder} />
        <TextField
          form={form}
          name="accountsEmail"
          label={payerLabels.accountsEmail}
          hint="We ask this email address first. Once they agree, we send them a copy of every invoice."
          type="email"
          autoComplete="off"
        />
      </div>
      <TextField
        form={form}
        name="address"
        label={payerLabels.address}
        hint={addressHint}
        autoComplete="address-line1"
      />
    </div>
  );
}
