import { data, href, redirect } from 'react-router';
import { databaseTrouble, isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm, giveBack, type Refusal, type Refuse, takeForm } from '#app/http/take-form.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { sendingOf } from '#app/outbox/sending.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { askToSignIn } from './ask-to-sign-in.server.ts';
import { cookieIn } from './cookies.server.ts';
import { completeStaff, enterByCode, enterByLink, enterByPasskey, findAsk, stepPaths } from './enter.server.ts';
import { confirmTotp, readNewTotp, takeFactor } from './factors.server.ts';
import { ownPath } from './own-path.ts';
import { askForPasskey } from './passkeys.server.ts';
import { type SignInServices, signInContext } from './sign-in-context.ts';
import { signInPaths } from './sign-in-paths.ts';
import { type Audience, findSignedIn, type SignIn, type Step } from './sign-ins.server.ts';

/** The arguments of loaders and actions of the two sign-ins. */
export type SignInArgs = { context: Parameters<typeof mailAwaySince>[0]; request: Request; url: URL };

const askCookie = (audience: Audience) => `ask-${audience}`;
const askSeconds = 15 * 60;
const toHeaders = (cookies: readonly string[]) => cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);

const words = {
  unreadable: 'Part of the form was missing, so nothing was done. Please send it again.',
  notSaved: 'Our system is not available, so nothing was done. Please try again in a few minutes.',
  away: unconfirmedText(
    'this step',
    'Please try again in a few minutes. A code or link works once: if it no longer works, ask for a new one.',
  ),
  busy: 'Many people are here at the moment, so nothing was done. Please try again in a few seconds.',
};

/** The first page of a sign-in. Somebody who is signed in is led on, unless asked to sign in afresh by `?again`. */
export async function loadAsk(audience: Audience, { context, request, url }: SignInArgs) {
  const to = ownPath(audience, url.searchParams.get('to'));
  const again = url.searchParams.has('again');
  const services = context.get(signInContext);
  const { signIn } = await findSignedIn(services, audience, request.headers).catch((error: unknown) => {
    if (isConnectionFailure(error)) return { signIn: null };
    throw error;
  });
  if (signIn && !signIn.pending && !again) throw redirect(to);
  return { to, again };
}

/** Takes an email address, asks for link and code, and leads to the page of the code: the same for every address. */
export async function actAsk(audience: Audience, { context, request, url }: SignInArgs) {
  const form = await readForm(request);
  const email = textsOf(form).email ?? '';
  const to = ownPath(audience, textsOf(form).to ?? url.searchParams.get('to'));
  const services = context.get(signInContext);
  const from = context.get(clientAddressContext);
  const result = await takeSignInForm<{ ok: true; browser: string }>(form, { email }, async (refuse) => {
    const asked = await askToSignIn(services, { audience, email, to, from });
    if (asked.ok) return asked;
    return asked.reason === 'too-many'
      ? refuse(429, tooMany(asked.waitMs))
      : refuse(400, { errors: { email: notAnAddress } });
  });
  if (!result.ok) return refused(result);
  const headers = toHeaders([services.cookies.set(askCookie(audience), result.browser, askSeconds)]);
  throw redirect(signInPaths[audience].code, { status: 303, headers });
}

type Passed = { ok: true; to: string; cookies: string[] };

/** Takes a form of a sign-in; nothing typed is shown again but `values`. */
const takeSignInForm = <Done extends { ok: true } = Passed>(
  form: FormData | null,
  values: FormValues,
  take: (refuse: Refuse) => Promise<Done | Refusal>,
): Promise<Done | Refusal> =>
  takeForm<Done>({ form, fresh: blankForm(), words, values }, async (_, refuse) => take(refuse));

/** Leads on a person who was let in, with the cookies; gives the form back to others. */
function finish(result: Passed | Refusal) {
  if (!result.ok) return refused(result);
  throw redirect(result.to, { status: 303, headers: toHeaders(result.cookies) });
}

const refused = (result: Refusal) => data({ form: result.form }, { status: result.status });

const notAnAddress = 'Enter an email address such as name@example.com.';
const tooMany = (waitMs: number) =>
  `We sent no email, because many were asked for from your network. A link from the last 15 minutes still works. Please use it, or ask again in ${waitText(waitMs)} or on another connection.`;

/** The page of the code, in the browser that asked for it. */
export async function loadCode(audience: Audience, { context, request }: SignInArgs) {
  const services = context.get(signInContext);
  const browser = cookieIn(request.headers, services.cookies.nameOf(askCookie(audience)));
  const ask = await unlessDatabaseAway(() => findAsk(services, audience, browser));
  if (!ask) throw redirect(signInPaths[audience].ask);
  const sending = await unlessDatabaseAway(() => sendingOf(services.db, { kind: 'sign-in-link', to: ask.email }));
  return { email: ask.email, triesLeft: ask.triesLeft, to: ask.to, sending, mailAway: await mailAwaySince(context) };
}

/** Takes the code of a mail. */
export async function actCode(audience: Audience, { context, request }: SignInArgs) {
  const form = await readForm(request);
  const services = context.get(signInContext);
  const browser = cookieIn(request.headers, services.cookies.nameOf(askCookie(audience)));
  const result = await takeSignInForm(form, {}, async (refuse) => {
    const code = sixDigits(textsOf(form).code ?? '');
    if (code === null) return refuse(400, { errors: { code: 'Enter the six digits of the code.' } });
    const entered = await enterByCode(services, { audience, browser, code, headers: request.headers });
    if (entered.ok) return entered;
    if (entered.reason === 'wrong') return refuse(409, { errors: { code: wrongCode(entered.triesLeft) } });
    return refuse(409, { errors: { code: entered.reason === 'none' ? noCode : noCodesToday } });
  });
  // With scripts the page reads again how many tries are left.
  if (!result.ok) return giveBack(result);
  return finish({ ...result, cookies: [...result.cookies, services.cookies.set(askCookie(audience), '', 0)] });
}

const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five'];
const wrongCode = (left: number) =>
  `That code is not right. ${left === 1 ? 'One try is' : `${numbers[left] ?? left} tries are`} left.`;
const noCode = 'This code no longer works: a code lasts ten minutes and five tries. Send a new one.';
const noCodesToday =
  'Too many wrong codes were typed for this address today, so codes do not work at the moment. Open the link in the email.';

/** Opening a link changes nothing: programs that scan mail open links too. Only the button uses the link up (P51). */
export const loadLink = ({ url }: Pick<SignInArgs, 'url'>) => ({ token: url.searchParams.get('token') ?? '' });

/** The same with whose account the link opens, shortened: a stranger's link could lead a visitor into the stranger's. */
export async function loadSignInLink({ context, url }: Pick<SignInArgs, 'context' | 'url'>) {
  const { token } = loadLink({ url });
  const asks = context.get(signInContext).db.selectFrom('sign_in_asks').select('email');
  const ask = await asks
    .where('link_hash', '=', hashOfToken(token))
    .executeTakeFirst()
    .catch((error: unknown) => {
      // The button says it, and keeps the link.
      if (databaseTrouble(error)) return undefined;
      throw error;
    });
  return { token, whose: ask ? ask.email.replace(/^(.)[^@]*/, '$1…') : null };
}

/** Presses the button of a link. `null` says that the link does not work. */
export async function actLink(audience: Audience, { context, request }: SignInArgs) {
  const token = textsOf(await readForm(request)).token ?? '';
  const services = context.get(signInContext);
  const entered = await enterByLink(services, { audience, token, headers: request.headers }).catch((error: unknown) => {
    if (isConnectionFailure(error)) return null;
    throw error;
  });
  if (!entered) return data({ token }, { status: 503 });
  if (!entered.ok) return data(null, { status: 403 });
  throw redirect(entered.to, { status: 303, headers: toHeaders(entered.cookies) });
}

/** Gives a browser what it needs to show a passkey, and signs in its owner. */
export async function actPasskey(audience: Audience, { context, request }: SignInArgs): Promise<Response> {
  const { step = '', response: text = '', to } = textsOf(await readForm(request));
  const services = context.get(signInContext);
  if (step === 'options') return Response.json({ options: await askForPasskey(services, audience) });
  try {
    const entering = { audience, text, to: ownPath(audience, to), headers: request.headers };
    const entered = await enterByPasskey(services, entering);
    if (!entered.ok) return Response.json({ fault: unknownPasskey }, { status: 403 });
    return Response.json({ to: entered.to }, { headers: toHeaders(entered.cookies) });
  } catch (error) {
    if (!databaseTrouble(error)) throw error;
    return Response.json({ fault: 'Our system is not available. Please try again in a few minutes.' }, { status: 503 });
  }
}

const unknownPasskey = 'We do not know this passkey. Use your email instead.';

/** A sign-in of staff at its second step; others are led to the first page, or on. */
async function pendingAt(step: Step, services: SignInServices, { request }: SignInArgs) {
  const { signIn } = await findSignedIn(services, 'staff', request.headers);
  if (!signIn) throw redirect(signInPaths.staff.ask);
  if (signIn.pending?.step !== step) throw redirect(leadOn(signIn));
  return { signIn, to: signIn.pending.to };
}

const leadOn = ({ pending }: SignIn): string => (pending ? stepPaths[pending.step] : href('/staff'));

export async function loadFactor(args: SignInArgs) {
  const { to } = await unlessDatabaseAway(() => pendingAt('factor', args.context.get(signInContext), args));
  return { to };
}

/** Takes the second factor of staff. */
export async function actFactor(args: SignInArgs) {
  const { context, request } = args;
  const form = await readForm(request);
  const services = context.get(signInContext);
  const result = await takeSignInForm(form, {}, async (refuse) => {
    const { signIn, to } = await pendingAt('factor', services, args);
    return services.db.transaction().execute(async (trx): Promise<Passed | Refusal> => {
      const code = textsOf(form).code ?? '';
      const tried = await takeFactor(trx, services, { personId: signIn.personId, code });
      if (!tried.ok) return refuse(409, { errors: { code: factorFaults[tried.reason] } });
      return { ok: true, to, cookies: await completeStaff(trx, services, signIn) };
    });
  });
  return finish(result);
}

/** The sentence about a code of an app or a recovery code that was refused. */
const factorFaults = {
  wrong: 'That code is not right, or it was used before. Wait for the next code of your app and type that one.',
  'too-many': 'Five codes were wrong. Please wait 15 minutes and try again.',
};

/**
 * The key to set up, at the first sign-in of staff. Null when no such sign-in is there: that is so too while the answer
 * with the recovery codes is made, whose sign-in has a new token already.
 */
export async function loadSetUp({ context, request }: SignInArgs) {
  const services = context.get(signInContext);
  const { signIn } = await unlessDatabaseAway(() => findSignedIn(services, 'staff', request.headers));
  if (signIn && signIn.pending?.step !== 'set-up') throw redirect(leadOn(signIn));
  return signIn && unlessDatabaseAway(() => readNewTotp(services, signIn.personId, services.academy().name));
}

/** Confirms the second factor, signs in and shows the recovery codes: this answer is the only place that has them. */
export async function actSetUp(args: SignInArgs) {
  const { context, request } = args;
  const form = await readForm(request);
  const services = context.get(signInContext);
  type Done = Passed & { recoveryCodes: string[] };
  const result = await takeSignInForm<Done>(form, {}, async (refuse) => {
    const { signIn, to } = await pendingAt('set-up', services, args);
    return services.db.transaction().execute(async (trx): Promise<Done | Refusal> => {
      const code = textsOf(form).code ?? '';
      const confirmed = await confirmTotp(trx, services, { personId: signIn.personId, code });
      if (!confirmed.ok) return refuse(409, { errors: { code: factorFaults[confirmed.reason] } });
      const cookies = await completeStaff(trx, services, signIn);
      return { ok: true, to, cookies, recoveryCodes: confirmed.recoveryCodes };
    });
  });
  if (!result.ok) return refused(result);
  const { to, recoveryCodes, cookies } = result;
  return data({ to, recoveryCodes }, { headers: toHeaders(cookies) });
}
