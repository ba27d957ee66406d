/* The worker of the search.
 *
 * Where the site is opened as files a browser starts no worker, so the script of the worker runs in a hidden frame instead;
 * Material looks for the name IFrameWorker there.
 *
 * Everywhere, a word of a query that begins with dashes is an option: "--shape" finds the pages with it, where the search would
 * leave them out. */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inner = this.frame.contentWindow;
      inner.document.open();
      inner.document.write("<!doctype html><html><body></body></html>");
      inner.document.close();
      inner.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      const script = inner.document.createElement("script");
      script.src = new URL(address, document.baseURI).href;
      script.onload = () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      };
      inner.document.body.appendChild(script);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}

const SearchWorker = window.Worker;
window.Worker = class extends SearchWorker {
  postMessage(message) {
    if (message && typeof message.data === "string")
      message = { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") };
    super.postMessage(message);
  }
};
