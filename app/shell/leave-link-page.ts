import { createPath, NavigationType, useBlocker, type BlockerFunction } from "@remix-run/react";
import { isLinkPage } from "#domain/site-pages.ts";

/**
 * A policy lasts as long as its document, and that of a link's page forbids what other pages need: storage, and pictures
 * from other sites. So the page that follows is loaded as a document of its own.
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
