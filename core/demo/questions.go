package demo

// Questions are what the demo asks of its database. A verified query answers
// each of them.
func Questions() []string {
	return []string{
		"How many customers do we have, by country?",
		"What was the revenue in each month of 2025?",
		"What are our top products by revenue?",
		"What is the average order value by store?",
		"What is the return rate by category?",
		"Which customers have never ordered?",
		"원산지별 제품 수",
	}
}
