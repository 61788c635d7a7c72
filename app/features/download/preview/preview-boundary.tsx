import { Component, type ReactNode } from "react";

interface PreviewBoundaryProps {
  onError(): void;
  children: ReactNode;
}

/** Contains errors of a viewer and of loading its script. */
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
