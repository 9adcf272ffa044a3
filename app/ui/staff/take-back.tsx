import { useEffect, useRef, useState } from 'react';
import type { Permission } from '#app/lib/permission-names.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, SendButton } from './act-form.tsx';

/** The emails of an act, by the id of one of them. */
export type MailToTakeBack = {
  mailId: string;
  subject: string;
  to: readonly string[];
  /** The time in which they can be taken back, and its end by Brisbane's clocks. */
  leftMs: number;
  until: string;
};

type Props = {
  mails: readonly MailToTakeBack[];
  form: FormState;
  /** The permission that sending them took. */
  needs: Permission;
};

/**
 * Emails that staff sent a moment ago, each with the button that takes it back (P101). Screen readers announce them.
 */
export function TakeBack({ mails, form, needs }: Props) {
  return (
    <div role="status" className="print:hidden">
      {mails.map((mail) => (
        <OneMail key={mail.mailId} mail={mail} form={form} needs={needs} />
      ))}
    </div>
  );
}

function OneMail({ mail, form, needs }: Omit<Props, 'mails'> & { mail: MailToTakeBack }) {
  const { mailId, subject, to, leftMs, until } = mail;
  const line = useRef<HTMLParagraphElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      // The button goes: the focus stays at the text that says so.
      if (line.current?.parentElement?.contains(document.activeElement)) line.current.focus();
      setOver(true);
    }, leftMs);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return (
    <ActForm
      act="take-back"
      id={null}
      form={form}
      needs={needs}
      carries={{ mail: mailId }}
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-straw-tint px-3 py-2"
    >
      <p ref={line} tabIndex={-1} className="wrap-anywhere">
        {over
          ? `“${subject}” can no longer be taken back.`
          : `“${subject}” goes to ${to.join(' and ')} in a minute. You can take it back until ${until}, Brisbane time.`}
      </p>
      {!over && (
        <SendButton>
          <ButtonText about={subject}>Take back</ButtonText>
        </SendButton>
      )}
    </ActForm>
  );
}
