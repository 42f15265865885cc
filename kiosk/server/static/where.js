// “All tables” or “Only these”: whoever names tables means these, and whoever chooses all means no names.
addEventListener("input", (event) => {
  const part = event.target.closest?.("fieldset.where");
  if (part && event.target.name === "tables") part.querySelector(`[value="${event.target.value.trim() ? "some" : "all"}"]`).checked = true;
});
addEventListener("change", (event) => {
  const part = event.target.closest?.("fieldset.where");
  if (part && event.target.name === "where" && event.target.value === "all") part.querySelector('[name="tables"]').value = "";
});
