import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  name: string;
  email: string;
  /** Such as `admissions`. */
  role: string;
  /** The person who took it. */
  by: string;
  when: string;
  academy: MailAcademy;
};

/** Tells the owners that somebody lost a role (P68). */
export function roleTaken({ name, email, role, by, when, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Staff role taken away: ${role}`,
    heading: 'Somebody lost a staff role',
    toStaff: true,
    parts: [
      `${name} no longer has the role ${role}, and is signed out everywhere.`,
      {
        facts: [
          ['Email address', email],
          ['Taken away by', by],
          ['When', `${when}, Brisbane time`],
        ],
      },
      'If you know of this, there is nothing to do.',
      'If you do not, speak to the other owners, and to the person who runs the server.',
    ],
    academy,
    reason: 'You get this because you are an owner of the academy.',
  });
}
