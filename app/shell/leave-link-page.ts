import { createPath, NavigationType, useBlocker, type BlockerFunction } from "@remix-run/react";
import { isLinkPage } from "#domain/site-pages.ts";

/**
 * Loads the page after a link's page as a new document: the Content-Security-Policy of a link's page lasts as long as
 * its document, and forbids storage and images from other sites, which other pages need.
 */
export function useLeavingLinkPages(): void {
  useBlocker(loadAfterLinkPage);
}

const loadAfterLinkPage: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) => {
  const isLeaving = isLinkPage(currentLocation.pathname) && !isLinkPage(nextLocation.pathname);
  if (!isLeaving || historyAction === NavigationType.Pop) return false;
  const address = createPath(nextLocation);
  if (historyAction === NavigationType.Replace) location.replace(address);
  else location.assign(address);
  return true;
};
