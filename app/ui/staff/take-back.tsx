import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, SendButton } from './act-form.tsx';

type Props = {
  /** The emails of an act each, by the id of one of them. */
  mails: readonly { mailId: string; subject: string; to: readonly string[] }[];
  form: FormState;
  /** The permission that sending them took. */
  needs: string;
};

/** Emails that staff sent a moment ago, each with the button that takes it back (P79). Screen readers hear of them. */
export function TakeBack({ mails, form, needs }: Props) {
  return (
    <div role="status" className="print:hidden">
      {mails.map(({ mailId, subject, to }) => (
        <ActForm
          key={mailId}
          act="take-back"
          id={null}
          form={form}
          needs={needs}
          carries={{ mail: mailId }}
          className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-straw-tint px-3 py-2"
        >
          <p className="wrap-anywhere">
            “{subject}” goes to {to.join(' and ')} in a minute.
          </p>
          <SendButton>
            <ButtonText about={subject}>Take back</ButtonText>
          </SendButton>
        </ActForm>
      ))}
    </div>
  );
}
