/** The filters of the inbox. Apart from the queries, so that pages can import them. */
import { href } from 'react-router';

export const shows = { open: 'Open', snoozed: 'Snoozed', done: 'Done' } as const;
export type Show = keyof typeof shows;

export const whoses = { everyone: 'Everyone’s', mine: 'Mine', nobody: 'Nobody’s' } as const;
export type Whose = keyof typeof whoses;

export const itemKinds = { enquiry: 'Messages and emails', conversation: 'Chats', booking: 'Bookings' } as const;
export type ItemKind = keyof typeof itemKinds;

export type InboxView = { show: Show; whose: Whose; kind: ItemKind | null };

const nameIn = <Name extends string>(names: Readonly<Record<Name, string>>, text: string | null): Name | null =>
  (Object.keys(names) as Name[]).find((name) => name === text) ?? null;

/** The person whose items to list. */
export const whoseOf = (params: URLSearchParams): Whose => nameIn(whoses, params.get('whose')) ?? 'everyone';

/** The filters of an address; an invalid one counts as absent. */
export const viewOf = (params: URLSearchParams): InboxView => ({
  show: nameIn(shows, params.get('show')) ?? 'open',
  whose: whoseOf(params),
  kind: nameIn(itemKinds, params.get('kind')),
});

/** The address of a view of the inbox. */
export const inboxTo = (view: InboxView): string => href('/staff/inbox') + queryOf(view);

/** The address of its keys, as JSON. */
export const arrivedTo = (view: InboxView): string => href('/staff/inbox/arrived') + queryOf(view);

function queryOf({ show, whose, kind }: InboxView): string {
  const params = new URLSearchParams();
  if (show !== 'open') params.set('show', show);
  if (whose !== 'everyone') params.set('whose', whose);
  if (kind) params.set('kind', kind);
  return params.size > 0 ? `?${params}` : '';
}
