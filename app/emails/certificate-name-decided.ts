import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  title: string;
  /** In fours; of the certificate that holds now. */
  number: string;
  taken: boolean;
  /** Why the old name stays, in the words of staff; '' when the new one was taken. */
  why: string;
  link: string;
  academy: MailAcademy;
};

/**
 * Tells the holder of a certificate whether we print the name that they asked for (P65). It repeats no name that
 * somebody typed.
 */
export function certificateNameDecided({ title, number, taken, why, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf(taken ? 'Your certificate, new name' : 'Your certificate, name kept', {
      title,
      reference: number,
    }),
    heading: taken ? 'Your certificate has your new name' : 'Your certificate keeps its name',
    parts: [
      taken
        ? `We issued your certificate for ${title} again, with the corrected name. Its number is now ${number}. Anyone who looks up the old number sees that this one replaced it.`
        : `We did not change the name on your certificate for ${title}.`,
      ...(taken ? [] : [{ quote: why }, 'Your certificate is still valid. You can ask again, or answer this email.']),
      { action: 'See your certificate', href: link },
    ],
    academy,
    reason: 'You get this because you or our staff asked for another name on your certificate.',
  });
}
