import { Secret, TOTP } from 'otpauth';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import type { AcademyApp } from './academy-app.ts';

/** A browser that keeps cookies. */
export type Browser = {
  cookies: Map<string, string>;
  get(path: string): Promise<Response>;
  /** Sends a form from a page of ours. */
  post(path: string, fields?: Record<string, string>, from?: string): Promise<Response>;
};

/** A browser without cookies, at a network address. */
export function openBrowser(academy: AcademyApp, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0'): Browser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit & { from?: string }) => {
    const headers = new Headers(init.headers);
    headers.set('User-Agent', userAgent);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await academy.request(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? [];
      if (/Max-Age=0\b/.test(rest)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (path) => send(path, {}),
    post: (path, fields = {}, from) =>
      send(path, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
        ...(from !== undefined && { from }),
      }),
  };
}

/** The links and codes that were mailed to an address, the oldest first, once all that were asked for are. */
export async function mailedTo(
  academy: AcademyApp,
  email: string,
): Promise<{ link: string; token: string; code: string }[]> {
  await mailAskedLinks(academy.services.signIn);
  const mails = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', 'sign-in-link')
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
  return mails.map(({ body_text: text }) => ({
    link: /http:\/\/localhost:3000(\S+)/.exec(text)?.[1] ?? '',
    token: /token=(\w+)/.exec(text)?.[1] ?? '',
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? '',
  }));
}

let networks = 0;

/** Logs a player in by the code of a mail, from a network of its own; returns where that leads. */
export async function logInByMail(academy: AcademyApp, browser: Browser, email: string): Promise<string | null> {
  await browser.post('/login', { email, to: '/account/settings' }, `10.0.${++networks}.1`);
  const { code = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  return locationOf(await browser.post('/login/code', { code }));
}

/** What an authenticator app shows at a moment for a key as a page shows it, computed from the key alone. */
export function appCode(key: string, at: Date): string {
  const totp = new TOTP({
    secret: Secret.fromBase32(key.replaceAll(' ', '')),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  });
  return totp.generate({ timestamp: at.getTime() });
}

/** The key on the page that sets up the app. */
export const keyOn = (html: string): string => /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '';

export const locationOf = (response: Response) => response.headers.get('Location');

/** Signs a member of staff in by mail for the first time, and sets up an app; returns its key and the recovery codes. */
export async function setUpApp(
  academy: AcademyApp,
  browser: Browser,
  email: string,
): Promise<{ key: string; recovery: string[] }> {
  await browser.post('/staff/sign-in', { email, to: '/staff' });
  const { token = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  await browser.post('/staff/sign-in/confirm', { token });
  const key = keyOn(await (await browser.get('/staff/sign-in/set-up')).text());
  const done = await browser.post('/staff/sign-in/set-up', { code: appCode(key, academy.now()) });
  return { key, recovery: recoveryCodesOn(await done.text()) };
}

/** The recovery codes on the page that shows them. */
export const recoveryCodesOn = (html: string): string[] =>
  [...html.matchAll(/<li>([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})<\/li>/g)].map(([, code = '']) => code);
