import { Component, type ReactNode } from "react";

interface PreviewBoundaryProps {
  onError(): void;
  children: ReactNode;
}

/** Keeps a preview that breaks, or whose code cannot be fetched, from taking the page with it. */
export class PreviewBoundary extends Component<PreviewBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.broken ? null : this.props.children;
  }
}
