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

/**
 * The buyer and the payer, as buyers fill them in. An organisation's fields show once it is chosen, without scripts as
 * well.
 */
export function PayerFields({ form, addressHint, children }: Props) {
  const error = form.errors.payer;
  return (
    <div className="group/payer grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 sm:grid-cols-2">
      <fieldset
        id="payer"
        tabIndex={-1}
        aria-describedby={error ? 'payer-error' : undefined}
        className="min-w-0 sm:col-span-2"
      >
        <legend className="sr-only">{payerLabels.payer}</legend>
        <div className="flex flex-wrap overflow-hidden rounded-control border border-edge bg-card sm:inline-flex">
          {[
            ['organisation', 'An organisation pays'],
            ['person', 'I pay myself'],
          ].map(([value, label]) => (
            <label
              key={value}
              className="relative flex min-h-12 grow cursor-pointer items-center justify-center border-edge px-4 py-2 text-center leading-tight font-semibold not-first:border-l has-checked:bg-action has-checked:text-white has-focus-visible:outline-3 has-focus-visible:-outline-offset-4 has-focus-visible:outline-straw"
            >
              <input
                type="radio"
                name="payer"
                value={value}
                defaultChecked={form.values.payer === value}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {label}
            </label>
          ))}
        </div>
        {error && (
          <p id="payer-error" className="mt-1.5 font-semibold text-fault">
            {error}
          </p>
        )}
      </fieldset>
      <TextField form={form} name="buyerName" label={payerLabels.buyerName} autoComplete="name" required />
      {children}
      <div className="hidden gap-x-6 gap-y-4 group-has-[[value=organisation]:checked]/payer:grid sm:col-span-2 sm:grid-cols-2">
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
      <TextField form={form} name="phone" label={payerLabels.phone} type="tel" autoComplete="tel" />
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
