import type { MouseEvent } from 'react';
import { href, useLocation, useNavigate } from 'react-router';

const isList = (path: string) => path === href('/') || path === href('/courses');

/**
 * How many steps back in the history the list lies from which one came to a course, by way of other courses at most;
 * null when one came from elsewhere. `paths` are those of the history's entries up to this one.
 */
export function stepsToList(paths: readonly string[]): number | null {
  for (let steps = 1; steps < paths.length; steps++) {
    const path = paths.at(-1 - steps) ?? '';
    if (isList(path)) return steps;
    if (!path.startsWith('/course/')) return null;
  }
  return null;
}

/**
 * The history state of a link to another course: how many steps back the list is, for browsers without a readable
 * history. Cards of a list start at 1. `state` is the state of the current page; without a list there is none.
 */
export function stateOfCourseLink(state: unknown): { toList: number } | undefined {
  const steps = stepsOf(state);
  return steps === null ? undefined : { toList: steps + 1 };
}

/**
 * The state that a link left in the history entry of a course. It outlives reloads, so an earlier version may have
 * written it.
 */
function stepsOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('toList' in state)) return null;
  return typeof state.toList === 'number' ? state.toList : null;
}

/**
 * Handles a click on Back to Courses: back to the list one came from, with its filters and place. A browser that does not
 * show its history (the Navigation API) goes by what links left there, or, when the course was opened before scripts ran,
 * by the page that led to it, and then keeps the filters but not the place. Without a list, the link leads where it says.
 */
export function useBackToList(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const steps = 'navigation' in window ? stepsShown(window.navigation) : stepsOf(state);
    // The router numbers its entries: at the first, no link of its own has led here.
    const list = 'navigation' in window || history.state?.idx !== 0 ? null : listBefore(document.referrer);
    if (steps === null && list === null) return;
    event.preventDefault();
    if (steps !== null) navigate(-steps);
    else if (list !== null) navigate(list);
  };
}

function stepsShown(navigation: Navigation): number | null {
  const here = navigation.currentEntry?.index ?? 0;
  const paths = navigation.entries().slice(0, here + 1);
  return stepsToList(paths.map(({ url }) => (url ? new URL(url).pathname : '')));
}

/** Path and query of the page that led to this one, when it was a list of ours. */
function listBefore(referrer: string): string | null {
  if (!referrer.startsWith(`${location.origin}/`)) return null;
  const { pathname, search } = new URL(referrer);
  return isList(pathname) ? pathname + search : null;
}
