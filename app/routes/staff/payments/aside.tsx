import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Panel, Words } from '#app/ui/staff/typography.tsx';
import { whyAside } from './share-fields.ts';

type Props = { form: FormState; canSetAside: boolean; setAside: { why: string; at: string } | null };

/** Sets a payment aside that is none for the academy, or says why it was and brings it back. */
export function Aside({ form, canSetAside, setAside }: Props) {
  if (setAside) {
    return (
      <Panel title="Set aside">
        <Words>
          {setAside.why}. Set aside on {setAside.at}: no list and no figure has it.
        </Words>
        <OnlyWith permission="money:record">
          <ActForm
            act="bring-back"
            id={null}
            form={form}
            needs="money:record"
            className="mt-4"
            submit="Bring it back"
          />
        </OnlyWith>
      </Panel>
    );
  }
  if (!canSetAside) return null;
  return (
    <OnlyWith permission="money:record">
      <Panel title="Not for us?">
        <Words>
          A payout of Stripe or a transfer between our own accounts is no payment by anybody. Set it aside: then no list
          and no figure has it. You can bring it back.
        </Words>
        <ActForm
          act="set-aside"
          id={null}
          form={form}
          needs="money:record"
          className="mt-4 grid gap-4"
          submit="Set it aside"
        >
          <TextField form={form} name="why" label={whyAside} required />
        </ActForm>
      </Panel>
    </OnlyWith>
  );
}
