import { createContext, data, href, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { watchingStores } from '#app/db/may-be-stored.server.ts';
import { notDone, notShown } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { plainPage, type TypedText } from '#app/http/plain-page.server.ts';
import { fieldInWords } from '#app/lib/field-in-words.ts';
import { nothingDone } from '#app/lib/nothing-done.ts';
import { tokenField } from '#app/ui/form-state.ts';
import type { StaffActor } from './actor.ts';
import { stepPaths } from './enter.server.ts';
import { ownPath } from './own-path.ts';
import type { Permission } from './permissions.ts';
import { ownersNames } from './queries.server.ts';
import { signInContext } from './sign-in-context.ts';
import { findStaffSignedIn, isFresh } from './sign-ins.server.ts';

/** The signed-in member of staff on every page behind `staffOnly`, and the owners if that person lacks a permission. */
const staffContext = createContext<{ actor: StaffActor; owners: readonly string[]; fresh: boolean }>();

/**
 * The person who is signed in, as the actor of a page for staff; throws a 403 for staff without the permission. Each
 * loader and action of such a page begins with it: there is no other way to the actor (P68).
 */
export function staffFor(context: Readonly<RouterContextProvider>, permission: Permission): StaffActor {
  const { actor, owners } = context.get(staffContext);
  if (actor.can.has(permission)) return actor;
  throw data(notPermitted(owners), { status: 403 });
}

/** Whether the person behind `staffFor` signed in, second step included, within the last ten minutes (P68). */
export const isFreshStaff = (context: Readonly<RouterContextProvider>): boolean => context.get(staffContext).fresh;

/** The refusal for staff whose role does not allow the page; the owners it names can grant another role. */
const notPermitted = (owners: readonly string[]) =>
  `Your role does not allow this, so nothing was shown, sent or changed. An owner of the academy can give you another role: ${owners.join(', ')}.`;

/**
 * Lets only staff through: sends others to sign in, and from there to where they wanted to go. A person who was signed
 * out while writing gets a 401, with which the form stays as it was; while the database is away or busy everybody gets
 * a 503.
 */
export const staffOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const services = context.get(signInContext);
  const reads = ['GET', 'HEAD'].includes(request.method);
  const byScript = request.headers.get('Sec-Fetch-Dest') === 'empty';
  // The page reads the form itself.
  const copy = reads || byScript ? null : request.clone();
  const find = async () => {
    const found = await findStaffSignedIn(services, request.headers);
    // Owners are refused nothing.
    return { ...found, owners: found.actor?.can.has('staff:grant') ? [] : await ownersNames(services.db) };
  };
  const found = await find().catch((error: unknown) => {
    const trouble = databaseTrouble(error);
    if (trouble) return trouble;
    throw error;
  });
  if (found === 'busy' || found === 'away') {
    const text = reads ? notShown[found] : notDone[found];
    // With scripts the form keeps the typed text. Without them only this answer can show it again.
    if (byScript) throw data(text, { status: 503, statusText: nothingDone });
    const [title, later] =
      found === 'busy' ? ['Very busy', { 'Retry-After': '10' }] : ['Our system is not available', retryLater];
    return staffPage(503, title, text, later, copy ? await typedIn(copy) : []);
  }
  const { actor, signIn, owners, cookies } = found;
  if (!actor) {
    if (!reads) throw data(signedOut, { status: 401 });
    if (signIn?.pending) throw redirect(stepPaths[signIn.pending.step]);
    const wanted = new URLSearchParams({ to: ownPath('staff', url.pathname + url.search) });
    throw redirect(`${href('/staff/sign-in')}?${wanted}`, { headers: cookies.map((cookie) => ['Set-Cookie', cookie]) });
  }
  context.set(staffContext, { actor, owners, fresh: signIn !== null && isFresh(signIn, services.clock.now()) });
  let mayBeDone = false;
  const response = await watchingStores(async (mayBeStored) => {
    const answer = await next();
    mayBeDone = mayBeStored();
    return answer;
  });
  if (copy && response.status === 403) {
    return staffPage(403, 'Not allowed for your role', notPermitted(owners), {}, await typedIn(copy, 'all'));
  }
  if (copy && response.status === 503) {
    const [title, text] = mayBeDone ? ['Not confirmed yet', unconfirmed] : ['Not sent yet', notSent];
    return staffPage(503, title, text, retryLater, await typedIn(copy));
  }
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
};

/** A page without React that leads back to the pages for staff, not to the shop. */
const staffPage = (status: number, title: string, text: string, headers: Record<string, string>, typed: TypedText[]) =>
  plainPage(status, title, text, headers, typed, undefined, { path: href('/staff'), text: 'Return to Today' });

const notSent =
  'Our system is not available or is very busy. Nothing was sent, saved or changed. Go back in your browser, where the form still has it, and send it again in a few minutes.';
const unconfirmed =
  'We could not confirm that this was saved: we lost the connection to our system. Go back in your browser, where the form still has it, and send it again in a few minutes. If it did arrive, nothing is sent twice.';
const retryLater = { 'Retry-After': '60' };

/** Fields that a form carries by itself. */
const carried = [tokenField, 'act', 'seen', 'lastMovement', 'shown', 'key', 'upTo', 'base', 'onto', 'retired'];
/**
 * The same holds for the fields of the form of content with the order, the open parts and the texts that others typed.
 */
const carriedOfContent = /^[cmno][.-]/;

/** The texts a form was sent with: the long ones, or all but those it carries by itself. */
async function typedIn(request: Request, which: 'long' | 'all' = 'long'): Promise<TypedText[]> {
  const form = await readForm(request);
  const names = [...new Set(form?.keys() ?? [])];
  const asked =
    which === 'all'
      ? names.filter((name) => !carried.includes(name) && !carriedOfContent.test(name))
      : names.filter((name) => ['answer', 'note'].includes(name));
  return asked.flatMap((name) => {
    const label = which === 'all' ? fieldInWords(name) : 'What you wrote';
    const texts = form?.getAll(name) ?? [];
    return texts.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [{ label, text }] : []));
  });
}

const signedOut =
  'You are no longer signed in. Nothing was sent or saved. Sign in in another window, then send this again. If what you wrote is not on this page, go back in your browser: the form still has it.';
