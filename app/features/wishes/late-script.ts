/**
 * What public pages show of one visitor after they are painted (P55): who is logged in, hearts for wishes (P57), and a
 * player's own progress on cards, each in space that is kept for it. React knows nothing of it: the pages stay the same
 * for everybody, and no page waits for this.
 */
import {
  deviceWishes,
  joinDeviceWishes,
  keepsWishes,
  seemsSignedIn,
  setDeviceWish,
  wishesKey,
} from './device-wishes.ts';
import { addHeartStyles } from './heart-styles.ts';
import { mostWishes, type PlayerAnswer } from './rules.ts';
import { showProgress } from './show-progress.ts';

let player: PlayerAnswer | null = null;
let wishes = new Set<string>();
let readAt = 0;
/** Whether the browser keeps anything; null until it was tried. */
let keeps: boolean | null = null;
/** Answers to presses come in the order of the presses. */
let sending: Promise<unknown> = Promise.resolve();

/** Reads whose page it is, and shows it. */
async function readPlayer(): Promise<void> {
  readAt = performance.now();
  let answer = seemsSignedIn() ? await askForPlayer() : null;
  if (answer && (await joinDeviceWishes().catch(() => false))) answer = await askForPlayer();
  player = answer;
  wishes = new Set(player ? player.wishes : deviceWishes());
  show();
}

/** Without a network its failure does no harm. */
async function askForPlayer(): Promise<PlayerAnswer | null> {
  const response = await fetch('/api/player').catch(() => null);
  return response?.ok ? response.json() : null;
}

/** Shows it wherever the page has space for it; again when React has made new parts of the page. */
function show(): void {
  keeps ??= keepsWishes();
  const hearts = player !== null || keeps;
  for (const card of document.querySelectorAll<HTMLElement>('.course-card')) {
    const slug = slugOf(card);
    if (hearts && !card.querySelector('[data-wish]')) card.append(heartFor(card, slug));
    showProgress(card, player?.progress[slug]);
  }
  for (const heart of document.querySelectorAll<HTMLElement>('button[data-wish]')) {
    // Without a place to keep wishes the form of a course leads to the login.
    if (hearts || heart.hasAttribute('aria-pressed')) {
      const pressed = String(wishes.has(heart.dataset.wish ?? ''));
      if (heart.getAttribute('aria-pressed') !== pressed) heart.setAttribute('aria-pressed', pressed);
    }
  }
  if (player) showName(player);
}

const slugOf = (card: HTMLElement) =>
  card
    .querySelector('a')
    ?.getAttribute('href')
    ?.replace(/^\/course\//, '')
    .replace(/[?#].*$/, '') ?? '';

/** The button of a card; the one of a course's page is in the page. */
function heartFor(card: HTMLElement, slug: string): HTMLButtonElement {
  const heart = document.createElement('button');
  heart.type = 'button';
  heart.className = 'wish-heart';
  heart.dataset.wish = slug;
  heart.setAttribute('aria-label', `Wish for ${card.querySelector('h3')?.textContent ?? 'this course'}`);
  // The one in the header.
  const drawing = document.querySelector('header [aria-label=Wishes] svg');
  if (drawing) heart.append(drawing.cloneNode(true));
  return heart;
}

function showName({ name }: PlayerAnswer): void {
  const letters = [...(name ?? 'Account')];
  const shown = letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : letters.join('');
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a[href="/login"]')) {
    link.href = '/account';
    link.textContent = shown;
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href="/wishes"]')) link.href = '/account/wishes';
}

/** Adds a course to the wishes or takes it off; the heart shows it at once, and as it was if it could not be kept. */
async function press(slug: string): Promise<void> {
  const wished = !wishes.has(slug);
  mark(slug, wished);
  const fault = player ? await send(slug, wished) : faults[setDeviceWish(slug, wished)];
  if (fault === null) return;
  mark(slug, !wished);
  say(fault);
}

function mark(slug: string, wished: boolean): void {
  if (wished) wishes.add(slug);
  else wishes.delete(slug);
  say('');
  show();
}

const faults = {
  kept: null,
  full: `You have ${mostWishes} wishes already. Take one off your list first.`,
  refused: 'Your browser keeps nothing for this site, so it cannot keep your wishes. Log in to keep them.',
};

async function send(slug: string, wished: boolean): Promise<string | null> {
  const body = new URLSearchParams({ act: wished ? 'add' : 'remove', course: slug });
  const answer = await fetch('/api/wishes', { method: 'POST', body, keepalive: true }).catch(() => null);
  if (answer?.ok) return null;
  if (answer?.status === 401) {
    // Logged out in another tab: from now on wishes are this device's.
    player = null;
    wishes = new Set(deviceWishes());
    const kept = setDeviceWish(slug, wished);
    if (kept === 'kept') mark(slug, wished);
    return faults[kept];
  }
  return answer?.status === 409 ? faults.full : 'We could not save this. Please try again.';
}

let note: HTMLElement | null = null;
/** Says over the page what went wrong. */
function say(text: string): void {
  if (!note) {
    if (text === '') return;
    note = document.createElement('p');
    note.setAttribute('role', 'alert');
    document.body.append(note);
  }
  note.className = text === '' ? 'sr-only' : 'wish-note';
  note.textContent = text;
}

/** A press of a heart, on a card or on a course's page. */
function hear(event: Event): void {
  const heart = event.target instanceof Element && event.target.closest<HTMLElement>('button[data-wish][aria-pressed]');
  if (!heart) return;
  event.preventDefault();
  sending = sending.then(() => press(heart.dataset.wish ?? ''));
}

addEventListener('click', hear, true);
// Another tab of this device.
addEventListener('storage', ({ key }) => {
  if (player || (key !== null && key !== wishesKey)) return;
  wishes = new Set(deviceWishes());
  show();
});
const again = () => {
  if (document.visibilityState === 'visible' && performance.now() - readAt > 10_000) void readPlayer();
};
addEventListener('visibilitychange', again);
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void readPlayer();
});

addHeartStyles();
// Told before the next layout: a new list of cards is laid out once, and painted with its hearts.
const changes = new MutationObserver(() => {
  show();
  // Its own changes say nothing new.
  changes.takeRecords();
});
changes.observe(document.body, { childList: true, subtree: true });

void readPlayer();
