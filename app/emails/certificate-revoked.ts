import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  title: string;
  /** In fours. */
  number: string;
  /** Such as `attendance had been recorded wrongly`. */
  why: string;
  /** The public page of the certificate. */
  page: string;
  academy: MailAcademy;
};

/** Tells the holder of a certificate that it does not hold any more, and why (P64). */
export function certificateRevoked({ title, number, why, page, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Your certificate, revoked', { title, reference: number }),
    heading: 'Your certificate is no longer valid',
    parts: [
      `We revoked your certificate ${number} for ${title}, because ${why}. Its page now says that, and since when.`,
      { action: 'See what its page says', href: page },
      `Please take it off your profiles and out of applications. If you think we are wrong, answer this email or call ${academy.phone}.`,
    ],
    academy,
    reason: 'You get this because a certificate of ours was issued to you.',
  });
}
