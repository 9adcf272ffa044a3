import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Labels of the settings. */
  changed: readonly string[];
  by: string;
  when: string;
  link: string;
  academy: MailAcademy;
};

/** Tells the owners, and the address of the academy before, that settings were changed that are theirs (P68). */
export function settingsChanged({ changed, by, when, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Settings of the academy were changed',
    heading: 'Settings of the academy were changed',
    toStaff: true,
    parts: [
      {
        facts: [
          ['Changed', changed.join(', ')],
          ['By', by],
          ['When', `${when}, Brisbane time`],
        ],
      },
      'If you know of this, there is nothing to do. If you do not, put the settings back and end the logins of that person.',
      { action: 'See the settings', href: link },
    ],
    academy,
    reason: 'You get this because you are an owner of the academy, or read its address.',
  });
}
