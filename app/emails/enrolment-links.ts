import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

type Props = {
  links: readonly { reference: string; title: string; href: string; whose: 'buyer' | 'attendee' }[];
  academy: MailAcademy;
};

/** The private links of an address, because somebody asked for them (P32). */
export function enrolmentLinks({ links, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Your enrolment links',
    heading: 'Your enrolment links',
    parts: [
      'You asked for the private links of this email address. Earlier links still work.',
      ...links.flatMap(({ reference, title, href, whose }): MailPart[] => {
        const words = whose === 'buyer' ? 'Open your enrolment' : 'Open your place';
        return [
          { heading: `${title}, ${reference}` },
          links.length === 1 ? { action: words, href } : { link: words, href },
        ];
      }),
      {
        note: 'Anyone with a link can open its page, so please do not forward this email. If you did not ask for the links, do nothing: we sent them to you only.',
      },
    ],
    academy,
    reason: 'You get this because someone asked our website for the links of this address.',
  });
}
