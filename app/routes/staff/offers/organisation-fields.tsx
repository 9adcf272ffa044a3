import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Choice } from '#app/ui/staff/choices.tsx';

export const organisationLabels = {
  legalName: 'Legal name',
  tradingName: 'Trading name',
  abn: 'ABN',
  mailDomains: 'Mail domains',
  address: 'Address',
  accountsEmail: 'Accounts payable',
  termsDays: 'Days to pay',
  creditSeats: 'Unpaid seats at a time',
  discountPercent: 'Agreed discount in per cent',
  notes: 'Notes',
};

/** An organisation as staff fill it in (P110). */
export function OrganisationFields({ form }: { form: FormState }) {
  const labels = organisationLabels;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="legalName" label={labels.legalName} required />
        <TextField form={form} name="tradingName" label={labels.tradingName} />
        <TextField form={form} name="abn" label={labels.abn} hint="Eleven digits." inputMode="numeric" />
        <TextField form={form} name="address" label={labels.address} hint="As on the invoice." />
        <TextField
          form={form}
          name="accountsEmail"
          label={labels.accountsEmail}
          hint="An email address."
          type="email"
        />
        <TextField
          form={form}
          name="mailDomains"
          label={labels.mailDomains}
          hint="Such as council.example, with commas between."
        />
        <TextField
          form={form}
          name="termsDays"
          label={labels.termsDays}
          hint="Empty: as for everybody."
          inputMode="numeric"
        />
        <TextField
          form={form}
          name="creditSeats"
          label={labels.creditSeats}
          hint="Agreed with them; 0 for none."
          inputMode="numeric"
          required
        />
        <TextField
          form={form}
          name="discountPercent"
          label={labels.discountPercent}
          hint="A quote for them begins with it."
          inputMode="numeric"
          required
        />
      </div>
      <Choice type="checkbox" name="needsPurchaseOrder" defaultChecked={form.values.needsPurchaseOrder === 'on'}>
        They need a purchase order: nobody accepts a quote without one
      </Choice>
      <TextArea form={form} name="notes" label={labels.notes} hint="Only staff see them." />
    </>
  );
}
