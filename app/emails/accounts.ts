import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type SignInLinkProps = {
  audience: 'player' | 'staff';
  /** The whole address, and for how many minutes it works. */
  link: string;
  minutes: number;
  /** Null when nobody asked in a browser: then only the link signs in. */
  code: string | null;
  codeMinutes: number;
  academy: MailAcademy;
};

/** The link and the code by which a player or a member of staff signs in (P51). */
export function signInLink({ audience, link, minutes, code, codeMinutes, academy }: SignInLinkProps): RenderedMail {
  const forStaff = audience === 'staff';
  const verb = forStaff ? 'sign in' : 'log in';
  return renderMail({
    subject: `${code ? 'Your code and link' : 'Your link'} to ${verb}`,
    heading: forStaff ? 'Sign in to the staff pages' : 'Log in to your account',
    parts: [
      ...(code
        ? [
            { code },
            `Type the code on the page where you asked for it. It works once, for ${codeMinutes} minutes, in that browser only. Nobody from the academy will ever ask you for it.`,
            `You can also open the link below and press the button on its page. The link works once, for ${minutes} minutes.`,
          ]
        : [`The link below opens a page with a button to ${verb}. It works once, for ${minutes} minutes.`]),
      { action: forStaff ? 'Open the sign-in page' : 'Open the login page', href: link },
    ],
    academy,
    reason: forStaff
      ? 'You get this because someone gave your address on the sign-in page for staff. If it was not you, ignore this email: nothing happens.'
      : 'You get this because someone gave your address on our login page. If it was not you, ignore this email: nothing happens, and no account is made.',
  });
}

type EmailCodeProps = { code: string; minutes: number; academy: MailAcademy };

/** The code by which somebody shows that they read this address (P28, P111). It repeats no text of the form. */
export function emailCode({ code, minutes, academy }: EmailCodeProps): RenderedMail {
  return renderMail({
    subject: `Your code for ${academy.name}`,
    heading: 'Your code',
    parts: [
      'Type this code on the page that asks for it to confirm your email address.',
      { code },
      `The code works once, for ${minutes} minutes. Nothing is bought yet and you owe nothing.`,
    ],
    academy,
    reason:
      'You get this because someone gave this address while enrolling or making a quote on our website. If it was not you, do nothing: nobody can go on without the code.',
  });
}

type AddressLinkProps = {
  /** The page that adds the address, and for how many minutes it works. */
  link: string;
  minutes: number;
  academy: MailAcademy;
};

/** Proves that a player reads a further address of theirs (P50). It names no other address. */
export function addressLink({ link, minutes, academy }: AddressLinkProps): RenderedMail {
  return renderMail({
    subject: 'Add this address to your account',
    heading: 'Add this address to your account',
    parts: [
      `Open the link in the browser in which you are logged in, and press the button there. It works once, for ${minutes} minutes.`,
      'Everything you bought or attend with this address is then listed in your account.',
      { action: 'Add this address', href: link },
    ],
    academy,
    reason:
      'You get this because someone who is logged in on our website gave this address as theirs. If it was not you, ignore this email: nothing happens.',
  });
}

type AccountChangedProps = {
  /** What was changed, a sentence. */
  what: string;
  when: string;
  browser: string;
  /** The page that takes it back, and the day on which it ends, such as `Monday 15 September 2025`; null for staff. */
  undo: { link: string; day: string } | null;
  academy: MailAcademy;
};

/** Tells a player that the way they log in was changed, with a link that takes it back (P54). */
export function accountChanged({ what, when, browser, undo, academy }: AccountChangedProps): RenderedMail {
  return renderMail({
    subject: 'Your account was changed',
    heading: 'Your account was changed',
    parts: [
      what,
      {
        facts: [
          ['When', `${when}, Brisbane time`],
          ['Where', browser],
        ],
      },
      'If this was you, you don’t need to do anything.',
      ...(undo
        ? [
            `If it was not you, open the page below before ${undo.day} and press the button there. It takes back this change and logs out every browser. Do so for each change that was not yours.`,
            { action: 'This was not me', href: undo.link },
          ]
        : ['If it was not you, tell an owner of the academy at once. They end your logins.']),
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}

type AccountClosedProps = {
  /** The day on which the account is deleted, such as `Monday 15 September 2025`. */
  day: string;
  when: string;
  browser: string;
  /** The page that opens the account again, until then. */
  link: string;
  academy: MailAcademy;
};

/** Tells a player that their account was closed and until when it can be kept (P58), also if it was not them (P54). */
export function accountClosed({ day, when, browser, link, academy }: AccountClosedProps): RenderedMail {
  return renderMail({
    subject: 'Your account is closed',
    heading: 'Your account is closed',
    parts: [
      `Your account was closed and every browser was logged out. We delete the account on ${day}.`,
      {
        facts: [
          ['When', `${when}, Brisbane time`],
          ['Where', browser],
        ],
      },
      'If you closed it, you don’t need to do anything. If you change your mind, log in before that day and choose to keep it. What you bought stays yours either way: the links in your emails go on working.',
      `If somebody else closed it, open the page below before ${day} and press the button there. The account is then open again, the way you log in is as it was before, and every browser is logged out.`,
      { action: 'This was not me', href: link },
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}

type SettingsChangedProps = {
  /** Labels of the settings. */
  changed: readonly string[];
  by: string;
  when: string;
  link: string;
  academy: MailAcademy;
};

/** Tells the owners, and the address of the academy before, that settings were changed that are theirs (P68). */
export function settingsChanged({ changed, by, when, link, academy }: SettingsChangedProps): RenderedMail {
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

type SignInsEndedProps = {
  /** Such as `you asked us to`, after “because”. */
  reason: string;
  when: string;
  academy: MailAcademy;
};

/** Tells a person that an owner of the academy ended all their logins. */
export function signInsEnded({ reason, when, academy }: SignInsEndedProps): RenderedMail {
  return renderMail({
    subject: 'We logged you out everywhere',
    heading: 'We logged you out everywhere',
    parts: [
      `On ${when}, Brisbane time, the academy ended all your logins, because ${reason}.`,
      'Nothing else of your account changed. You can log in again as always.',
      'If you did not expect this, answer this email or call us.',
    ],
    academy,
    reason: 'You get this because somebody was logged in with your email address.',
  });
}

type RoleGrantedProps = {
  name: string;
  email: string;
  /** Such as `admissions`. */
  role: string;
  /** The person who gave it. */
  by: string;
  when: string;
  academy: MailAcademy;
};

/** Tells the owners that somebody became staff, or has another role (P53). */
export function roleGranted({ name, email, role, by, when, academy }: RoleGrantedProps): RenderedMail {
  return renderMail({
    subject: `New staff role: ${role}`,
    heading: 'Somebody has a new staff role',
    toStaff: true,
    parts: [
      `${name} has the role ${role} from now on.`,
      {
        facts: [
          ['Email address', email],
          ['Given by', by],
          ['When', `${when}, Brisbane time`],
        ],
      },
      'If you know of this, there is nothing to do.',
      `If you do not, ask the person who runs the server to take the role away at once, by npm run staff -- remove ${email}.`,
    ],
    academy,
    reason: 'You get this because you are an owner of the academy.',
  });
}

type RoleTakenProps = {
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
export function roleTaken({ name, email, role, by, when, academy }: RoleTakenProps): RenderedMail {
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
